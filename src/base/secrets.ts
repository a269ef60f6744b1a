/** A value that must not be shown anywhere, and the name of the variable it comes from, which is shown instead. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** One way in which a secret is written. */
export interface Spelling {
  readonly bytes: Buffer;
  /** Whether programs break it into lines, as they do with base64 and hex. */
  readonly wraps: boolean;
}

/**
 * Finds the secrets among the variables that agents and checks get: values of at least eight characters, unless they are a
 * well-known placeholder or, under a name that does not suggest a secret, made of words, numbers and paths. Nobody could
 * read logs without `production` or `/usr/lib/jvm`.
 */
export function secretsOf(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): Secret[] {
  const found = new Map<string, string>();
  for (const name of names) {
    const whole = (Object.hasOwn(env, name) ? env[name] : undefined)?.trim() ?? "";
    const parts = isTelling(name) || !isOrdinary(whole) ? [whole, ...linesOf(whole)] : [];
    for (const value of [...parts, ...passwordsOf(whole)].filter(canBeHidden)) {
      if (!found.has(value)) found.set(value, name);
    }
  }
  return [...found].map(([value, name]) => ({ name, value }));
}

/** Lists every spelling to look for: plain, in JSON, percent-encoded, base64 at each of its three alignments, hex. */
export function spellingsOf(value: string): Spelling[] {
  const plain = [value, ...jsonForms(value), ...percentForms(value)];
  const wrapping = [...base64Forms(value), ...hexForms(value)];
  return [
    ...unique(plain).map((text) => ({ bytes: Buffer.from(text), wraps: false })),
    // A line may end within the first characters, by which a spelling is found; then the rest of it is found.
    ...unique(wrapping.flatMap((text) => (text.length < 24 ? [text] : [text, text.slice(8)]))).map((text) => ({
      bytes: Buffer.from(text),
      wraps: true,
    })),
  ];
}

/** Every spelling is at least this long; shorter ones would be found in any text. */
export const secretCharsMin = 8;

function canBeHidden(value: string): boolean {
  return value.length >= secretCharsMin && new Set(value).size >= 4 && !placeholders.has(value.toLowerCase());
}

/** Well-known values that are in every log. */
const placeholders = new Set(["password", "passw0rd", "changeme", "change-me", "postgres", "localhost", "not-needed"]);

function isTelling(name: string): boolean {
  return /key|token|secret|pass|pwd|auth|credential|private|cookie|session|webhook/i.test(name);
}

function isOrdinary(value: string): boolean {
  return value.split(/[^\p{L}\p{N}]+/u).every((word) => word === "" || isWord(word));
}

/** Accepts `java17`, `UTF`, `FlagName` and `2026`, but not `x7Kq2` or a long number. */
function isWord(word: string): boolean {
  return /^(?:(?:[A-Z]?[a-z]{2,15}){0,3}|[a-z]|[A-Z]{1,8})\d{0,6}$/.test(word);
}

/** Returns the lines of a value such as a key in a file's format: programs also print single lines of it. */
function linesOf(value: string): string[] {
  if (!value.includes("\n")) return [];
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= 16 && !/\s/.test(line));
}

/** Returns the password of a URL with a user, as for proxies and databases: it is secret by itself. */
function passwordsOf(value: string): string[] {
  const password = /^[a-z][a-z\d+.-]*:\/\/[^/?#@\s:]*:([^/?#@\s]+)@/i.exec(value)?.[1];
  return password === undefined ? [] : [password, percentDecoded(password)];
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes once, with every character beyond ASCII or every slash escaped, and as JSON within JSON. */
function jsonForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const ascii = once.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [once, ascii, once.replaceAll("/", "\\/"), JSON.stringify(once).slice(1, -1)];
}

/** Encodes as in a query, in a path and in a form, with digits in either case. */
function percentForms(value: string): string[] {
  const encode = (kept: RegExp): string =>
    Array.from(Buffer.from(value), (byte) => {
      const char = String.fromCharCode(byte);
      return kept.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    }).join("");
  const forms = [encode(/[\w.~!'()*-]/), encode(/[\w.~-]/), encode(/[\w.~/-]/)];
  return [...forms, forms[0]!.replaceAll("%20", "+")].flatMap((form) => [form, withLowerDigits(form)]);
}

function withLowerDigits(form: string): string {
  return form.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase());
}

/** Returns the parts that do not depend on the bytes around the value, and the whole encoding of the value alone. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const cores = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const alone = bytes.toString("base64");
  const forms = [...cores, alone, alone.replace(/=+$/, "")];
  return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

function hexForms(value: string): string[] {
  const digits = Buffer.from(value).toString("hex");
  return [digits, digits.toUpperCase()];
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
