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

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Writes a duration for reports, in its two largest units: "6 h 12 m". */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.round(ms / second)) * second;
  if (ms < 10 * second) return `${(Math.max(0, ms) / second).toFixed(1)} s`;
  if (whole < minute) return `${whole / second} s`;
  if (whole < hour) return pair(whole, [minute, "m"], [second, "s"]);
  return whole < day ? pair(whole, [hour, "h"], [minute, "m"]) : pair(whole, [day, "d"], [hour, "h"]);
}

type Unit = readonly [number, string];

function pair(ms: number, [large, name]: Unit, [small, other]: Unit): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${name}${rest === 0 ? "" : ` ${rest} ${other}`}`;
}
