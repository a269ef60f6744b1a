import { keyLabel } from "./problem.ts";
import type { Problem } from "./types.ts";
import type { Source } from "./yaml.ts";

export type DocumentKind = "plan" | "task" | "rules" | "config";

interface NotYet {
  readonly document: DocumentKind;
  /** `*` stands for any key or any item of a list. */
  readonly key: string;
}

/** Everything the formats promise and this version only accepts; delete a line when its feature lands. */
const table: readonly NotYet[] = [{ document: "config", key: "review" }];

/** Warns of what was asked for and will not happen, because silence would pass for obedience. */
export function notYetProblems(document: DocumentKind, { file, data, at }: Source): Problem[] {
  return table
    .filter((entry) => entry.document === document)
    .flatMap(({ key }) =>
      matches(data, key.split("."))
        .filter(({ value }) => !isEmpty(value))
        .map(({ path }) => {
          const message = notYetMessage(keyLabel(path));
          return { file, ...at(path), severity: "warning", code: "not-yet", message };
        }),
    );
}

function notYetMessage(name: string): string {
  return `\`${name}\` is not acted on by this version of stint`;
}

interface Match {
  readonly path: (string | number)[];
  readonly value: unknown;
}

function matches(value: unknown, pattern: readonly string[], path: (string | number)[] = []): Match[] {
  const [step, ...rest] = pattern;
  if (step === undefined) return [{ path, value }];
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys
    .filter((key) => step === "*" || step === key)
    .flatMap((key) => matches((value as Record<string | number, unknown>)[key], rest, [...path, key]));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
