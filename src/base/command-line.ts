/** One program call of a command line, without what merely wraps it, and the folder it is made in. */
export interface Call {
  readonly words: readonly string[];
  /** What wraps it, outermost first, such as `timeout` or `npx`. */
  readonly by: readonly string[];
  readonly dir: string;
}

/** Finds the program calls in a line for `sh -c`. It is not a shell: it does not expand words. */
export function callsOf(line: string, cwd: string): Call[] {
  const calls: Call[] = [];
  const outer: string[] = [];
  let dir = joined(cwd);
  for (const piece of piecesOf(line)) {
    if (piece === "(") outer.push(dir);
    else if (piece === ")") dir = outer.pop() ?? dir;
    else if (typeof piece !== "string") {
      const { words, by } = unwrapped(piece);
      if (words[0] === "cd") dir = joined(dir, words[1] ?? "");
      else if (isShell(words[0]) && innerLine(words) !== undefined) calls.push(...callsOf(innerLine(words) ?? "", dir));
      else if (words.length > 0) calls.push({ words, by, dir });
    }
  }
  return calls;
}

/** Returns a program's name without its folder. */
export function nameOf(word: string | undefined): string {
  const path = (word ?? "").replace(/\/+$/, "");
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:cmd|exe)$/, "");
}

/** Joins parts to one path without `.` and needless `..`; returns `.` if nothing is left. */
export function joined(...parts: readonly string[]): string {
  const path = parts.filter((part) => part !== "").join("/");
  const kept: string[] = [];
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (name !== ".." || !path.startsWith("/")) kept.push(name);
  }
  const root = path.startsWith("/") ? "/" : "";
  return `${root}${kept.join("/")}` || ".";
}

/** Quotes a word for a shell, if it has to be quoted. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

type Piece = "(" | ")" | readonly string[];

/** Splits a line into words between operators, without quotes. */
function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let words: string[] = [];
  const end = (): void => {
    if (words.length > 0) pieces.push(words);
    words = [];
  };
  for (const [token] of line.matchAll(
    /[()]|(?:&&|\|\||[;|&\n`])|(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\s;|&()`'"\\]|['"\\])+/g,
  )) {
    if (/^[;|&\n`]+$/.test(token)) end();
    else if (token === "(" || token === ")") {
      end();
      pieces.push(token);
    } else words.push(unquoted(token));
  }
  end();
  return pieces;
}

function unquoted(token: string): string {
  return token.replace(/'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])/g, (_, single, double, escaped) => {
    if (single !== undefined) return String(single);
    return double === undefined ? String(escaped) : String(double).replace(/\\(["\\$`])/g, "$1");
  });
}

const shells = new Set(["sh", "bash", "dash", "zsh"]);

/** Whether a word calls a shell. */
export function isShell(word: string | undefined): boolean {
  return shells.has(nameOf(word));
}

/** Returns the line that `sh -c` is given. */
function innerLine(words: readonly string[]): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && /^-[a-z]*c$/.test(word));
  return at === -1 ? undefined : words[at + 1];
}

/** Programs and shell words that only start another program. */
const wrappers = new Set(
  "time nice exec command env sudo nohup stdbuf xvfb-run cross-env cross-env-shell dotenv timeout npx bunx pnpx ! if then do else while {".split(
    " ",
  ),
);

/** Programs whose second word says that the rest is another program. */
const launchers: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bundle|composer) exec$/,
  /^(?:pnpm|yarn) dlx$/,
  /^(?:uv|poetry|pipenv|pdm|hatch|rye) run$/,
  /^python[\d.]* -m$/,
  /^bun x$/,
  /^npm x$/,
];

function unwrapped(words: readonly string[]): Pick<Call, "words" | "by"> {
  const by: string[] = [];
  let rest = [...words];
  for (let turns = 0; turns < words.length; turns += 1) {
    while (rest[0] !== undefined && /^\w+=/.test(rest[0])) rest.shift();
    const program = nameOf(rest[0]);
    const launches = launchers.some((launcher) => launcher.test(`${program} ${rest[1] ?? ""}`));
    if (!wrappers.has(program) && !launches) break;
    by.push(rest[0] ?? "");
    rest = withoutOptions(rest.slice(launches ? 2 : 1));
  }
  return { words: rest, by };
}

/** Drops options with their numbers, and the time of `timeout`. */
function withoutOptions(words: readonly string[]): string[] {
  const at = words.findIndex((word) => !/^(?:-|\w+=|\d+(?:\.\d+)?[smhd]?$)/.test(word));
  return at === -1 ? [] : words.slice(at);
}
