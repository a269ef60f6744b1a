/** A makefile or justfile, as far as it decides what a target does. */
export interface Makefile {
  readonly rules: ReadonlyMap<string, Rule>;
  /** Every assignment as written, by name. */
  readonly variables: ReadonlyMap<string, string>;
  /** Lines that may change the meaning of all others, such as `include`. */
  readonly directives: readonly string[];
  /** The target of `make` alone. */
  readonly first: string | undefined;
}

export interface Rule {
  /** Prerequisites and recipe, of all rules for this target, as written. */
  readonly text: string;
  readonly needs: readonly string[];
  readonly recipe: readonly string[];
}

/** Reads targets, variables and directives line by line; conditions are not weighed, so both branches count. */
export function readMakefile(text: string): Makefile {
  const rules = new Map<string, Rule>();
  const variables = new Map<string, string>();
  const directives: string[] = [];
  let open: readonly string[] = [];
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r?\n/)) {
    const bare = line.replace(/(?:^|\s)#.*$/, "").trimEnd();
    if (/^(?:\t|\s{2,})/.test(line) && open.length > 0)
      for (const target of open) extend(rules, target, { recipe: line.trim() });
    else if (bare.trim() !== "") open = readLine(bare.trim(), { rules, variables, directives });
  }
  const first = [...rules.keys()].find((target) => !target.startsWith(".") && !target.includes("%"));
  return { rules, variables, directives, first };
}

interface Reading {
  readonly rules: Map<string, Rule>;
  readonly variables: Map<string, string>;
  readonly directives: string[];
}

/** Reads a line that is no recipe, and returns the targets whose recipe follows. */
function readLine(line: string, { rules, variables, directives }: Reading): readonly string[] {
  const assigned = /^(?:(?:export|override|private)\s+)*([\w.-]+)\s*(?:::?:?|\?|\+|!)?=\s*(.*)$/.exec(line);
  if (assigned !== null) {
    const [, name = "", value = ""] = assigned;
    variables.set(name, variables.has(name) ? `${variables.get(name)}\n${value}` : value);
    return [];
  }
  const rule = /^@?([^:=]+?)\s*::?(?!=)\s*([^;]*)(?:;\s*(.*))?$/.exec(line);
  if (
    rule === null ||
    /^(?:-?include|sinclude|import|mod|set|export|unexport|vpath|define|load|ifn?eq|ifn?def|undefine)\b/.test(line)
  ) {
    if (!/^(?:else|endif|endef)\b/.test(line)) directives.push(line);
    return [];
  }
  const targets = (rule[1] ?? "").split(/\s+/).filter((word) => word !== "&");
  // A justfile's recipe has its parameters behind its name; they are no targets, and harm nothing as such.
  for (const target of targets)
    extend(rules, target, { needs: rule[2] ?? "", ...(rule[3] !== undefined && { recipe: rule[3] }) });
  return targets;
}

function extend(
  rules: Map<string, Rule>,
  target: string,
  { needs = "", recipe }: { needs?: string; recipe?: string },
): void {
  const known = rules.get(target) ?? { text: "", needs: [], recipe: [] };
  const more = needs.split(/[\s|]+/).filter((word) => word !== "");
  rules.set(target, {
    text: [known.text, needs.trim(), recipe ?? ""].filter((part) => part !== "").join("\n"),
    needs: [...known.needs, ...more],
    recipe: recipe === undefined ? known.recipe : [...known.recipe, recipe],
  });
}

/** Finds what targets rest on, themselves included: other targets by prerequisite or pattern, and variables by name. */
export function reachedFrom({ rules, variables, first }: Makefile, targets: readonly string[]): Reached {
  const found = { targets: new Set<string>(), variables: new Set<string>() };
  const queue = targets.length > 0 ? [...targets] : first === undefined ? [] : [first];
  for (let target = queue.pop(); target !== undefined; target = queue.pop()) {
    if (found.targets.has(target)) continue;
    found.targets.add(target);
    const its = [target, ...patternsFor(rules, target)].flatMap((name) => rules.get(name) ?? []);
    for (const name of patternsFor(rules, target)) found.targets.add(name);
    const texts = its.map(({ text }) => text);
    for (const text of texts) queue.push(...namesIn(text, variables, found.variables));
    queue.push(...its.flatMap(({ needs }) => needs.filter((need) => !need.includes("$"))));
  }
  return found;
}

export interface Reached {
  readonly targets: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

function patternsFor(rules: ReadonlyMap<string, Rule>, target: string): string[] {
  return [...rules.keys()].filter((pattern) => {
    const [head = "", tail] = pattern.split("%");
    return (
      tail !== undefined &&
      target.length > head.length + tail.length - 1 &&
      target.startsWith(head) &&
      target.endsWith(tail)
    );
  });
}

/** Collects the variables that a text names, and returns the words they stand for, which may be targets. */
function namesIn(text: string, variables: ReadonlyMap<string, string>, found: Set<string>): string[] {
  const words: string[] = [];
  const texts = [text];
  for (let next = texts.pop(); next !== undefined; next = texts.pop()) {
    for (const [, plain, curly, just, single] of next.matchAll(/\$\(([\w.-]+)|\$\{([\w.-]+)|\{\{\s*([\w-]+)|\$(\w)/g)) {
      const name = plain ?? curly ?? just ?? single ?? "";
      if (found.has(name)) continue;
      found.add(name);
      const value = variables.get(name);
      if (value === undefined) continue;
      texts.push(value);
      words.push(...value.split(/\s+/).filter((word) => word !== ""));
    }
  }
  return words;
}
