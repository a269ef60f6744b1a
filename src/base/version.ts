/** Finds a version in a text; undefined if there is none. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0];
}

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const differs = b.findIndex((part, index) => part !== (a[index] ?? 0));
  return differs !== -1 && (a[differs] ?? 0) < (b[differs] ?? 0);
}
