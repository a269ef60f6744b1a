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

/** Writes a duration as a clock does: 0:07, 12:41, 1:02:41. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = twoDigits(seconds % 60);
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${twoDigits(minutes)}:${tail}`;
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
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
