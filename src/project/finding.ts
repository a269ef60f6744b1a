/** One thing that was looked at: `bad` keeps runs from working, `warn` does not. */
export interface Finding {
  readonly about: string;
  readonly state: "ok" | "warn" | "bad";
  readonly says: string;
  readonly cure: string | null;
}

export function good(about: string, says: string): Finding {
  return { about, state: "ok", says, cure: null };
}

/** A version as numbers to compare; undefined where the text holds none. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0];
}

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const differs = b.findIndex((part, index) => part !== (a[index] ?? 0));
  return differs !== -1 && (a[differs] ?? 0) < (b[differs] ?? 0);
}
