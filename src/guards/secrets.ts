import type { GuardEvidence } from "../engine/evidence.ts";
import { guardsLimits } from "./limits.ts";
import { protectedKind } from "../plan/protected.ts";
import { addedLines, evidenceLines, type EvidenceLine } from "./evidence-lines.ts";
import type { ChangedText, ContentGuard } from "./content-guard.ts";

/** A secret as issuers shape it. */
interface Shape {
  readonly what: string;
  /** The first group is the secret. */
  readonly pattern: RegExp;
}

const end = "(?![\\w-])";
const start = "(?<![\\w-])";

const shapes: readonly Shape[] = [
  { what: "a private key", pattern: /(-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----)/g },
  { what: "an AWS access key", pattern: new RegExp(`${start}((?:AKIA|ASIA)[A-Z2-7]{16})${end}`, "g") },
  {
    what: "an AWS secret key",
    pattern: /aws_?secret_?(?:access_?)?key["']?\s*[:=]\s*["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    what: "a GitHub token",
    pattern: new RegExp(`${start}((?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{60,}))${end}`, "g"),
  },
  { what: "a GitLab token", pattern: new RegExp(`${start}(glpat-[\\w-]{20,})${end}`, "g") },
  { what: "a Slack token", pattern: new RegExp(`${start}(xox[abeoprs]-\\d+-[\\w-]{20,})${end}`, "g") },
  { what: "a Slack webhook", pattern: /(hooks\.slack\.com\/services\/T\w{6,}\/B\w{6,}\/\w{20,})/g },
  { what: "a Google API key", pattern: new RegExp(`${start}(AIza[\\w-]{35})${end}`, "g") },
  { what: "a Stripe live key", pattern: new RegExp(`${start}((?:sk|rk)_live_[A-Za-z0-9]{16,})${end}`, "g") },
  { what: "an npm token", pattern: new RegExp(`${start}(npm_[A-Za-z0-9]{36})${end}`, "g") },
  { what: "a PyPI token", pattern: new RegExp(`${start}(pypi-AgE[\\w-]{50,})${end}`, "g") },
  {
    what: "an API key",
    pattern: new RegExp(`${start}(sk-(?=[\\w-]*[A-Z])(?=[\\w-]*\\d)(?=[\\w-]*[A-Za-z0-9]{20})[\\w-]{32,})${end}`, "g"),
  },
  { what: "a SendGrid key", pattern: new RegExp(`${start}(SG\\.[\\w-]{16,32}\\.[\\w-]{32,64})${end}`, "g") },
  { what: "a signed token", pattern: new RegExp(`${start}(eyJ[\\w-]{10,}\\.eyJ[\\w-]{60,}\\.[\\w-]{20,})${end}`, "g") },
  {
    what: "a password in an address",
    pattern:
      /\b[a-z][a-z\d+.-]{1,20}:\/\/[^/?#@\s:"'`]{1,100}:([^/?#@\s"'`]{6,200})@(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]|(?:db|postgres|redis|mysql|host|example)(?![\w.-])|[\w.-]*\.(?:example|test|invalid|local)\b|[\w.-]*\bexample\.(?:com|org|net)\b))/gi,
  },
];

/** Looks for keys, tokens and passwords in the lines that an attempt added; never shows more of one than its first characters. */
export const guardSecrets: ContentGuard = ({ changes }) => Promise.resolve(changes.flatMap(secretsIn));

function secretsIn(change: ChangedText): GuardEvidence[] {
  const { path, before, after } = change;
  if (after === null || after.includes("\0") || protectedKind(path, []) === "lockfile") return [];
  const lines = addedLines(before, after);
  const inTest = protectedKind(path, []) === "test";
  return shapes.flatMap(({ what, pattern }) => {
    const found = lines.flatMap((line) => redacted(line, { pattern, inTest, isKey: what === "a private key", after }));
    if (found.length === 0) return [];
    return [
      {
        guard: "secret" as const,
        path,
        why: `contains ${what} in its new lines. Remove it, and read it from the environment; if it is real, revoke it.`,
        evidence: evidenceLines(found),
      },
    ];
  });
}

interface Looking {
  readonly pattern: RegExp;
  readonly inTest: boolean;
  readonly isKey: boolean;
  readonly after: string;
}

function redacted(line: EvidenceLine, { pattern, inTest, isKey, after }: Looking): EvidenceLine[] {
  if (line.text.length > guardsLimits.guardedLineCharsMax) return [];
  const found = [...line.text.matchAll(pattern)].filter(([, secret = ""]) =>
    isKey ? isRealKey(line, after) : !isFake(secret, inTest),
  );
  if (found.length === 0) return [];
  // The rest of the line is struck out as well: a second value may stand there that no shape knows.
  const first = found[0]?.[1] ?? "";
  const at = line.text.indexOf(first);
  return [{ ...line, text: `${line.text.slice(0, Math.min(at, 60))}${isKey ? first : `${first.slice(0, 4)}…`}` }];
}

/** A key has lines of base64 behind its head; prose that quotes the head has not. */
function isRealKey({ line, text }: EvidenceLine, after: string): boolean {
  const behind = [text.slice(text.indexOf("KEY") + 3), ...after.split(/\r?\n/).slice(line, line + 6)].join(" ");
  const body = behind.split("-----END")[0] ?? "";
  return [...body.matchAll(/[A-Za-z0-9+/]{40,}/g)].some(([run]) => !isFake(run, false));
}

const fakeWords =
  /example|sample|dummy|fake|placeholder|changeme|change-me|your|xxxx|redacted|secret$|^secret|passw|^pass|^pwd|hunter2|foobar|test|todo|insert|replace|^user|\.\.\.|…|^[*•.]+$|1234567|abcdefg|deadbeef|0000000/i;

/** Whether nobody can use a value: a word says so, it is filled in later, or it is a pattern of a few characters. */
function isFake(secret: string, inTest: boolean): boolean {
  if (/^[<{[$%]|\$\{|\{\{|%\(|<\w+>/.test(secret)) return true;
  if (fakeWords.test(secret)) return true;
  const distinct = new Set(secret.toLowerCase()).size;
  return distinct < 5 || (inTest && distinct < 10);
}
