const units = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** Writes a duration as plans do, in the largest unit that is exact: 90m, 2h, 1500ms. */
export function writeDuration(ms: number): string {
  const [unit, size] = units.find(([, unitMs]) => ms >= unitMs && ms % unitMs === 0) ?? ["ms", 1];
  return `${ms / size}${unit}`;
}

/** Writes a duration roughly, in minutes from one minute on: 45s, 20m, 1h 30m. */
export function aboutDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes === 0 ? `${Math.round(ms / 1_000)}s` : showDuration(minutes * 60_000);
}

/** Writes a duration as people say it: 45m, 1h 30m. */
export function showDuration(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  const rest = ms % 3_600_000;
  if (hours === 0 || rest % 60_000 !== 0) return writeDuration(ms);
  return rest === 0 ? `${hours}h` : `${hours}h ${writeDuration(rest)}`;
}
