const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** A time as people say it, in its two largest units: "6 h 12 m". */
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
