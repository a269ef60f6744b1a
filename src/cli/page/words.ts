/** A time as people say it: `45s`, `20m`, `1h 15m`, `2d 3h`; the smaller unit is dropped where it is nothing. */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes === 0) return `${Math.round(ms / 1_000)}s`;
  const [days, hours] = [Math.floor(minutes / dayMinutes), Math.floor((minutes % dayMinutes) / 60)];
  const parts = days > 0 ? [`${days}d`, `${hours}h`] : [`${hours}h`, `${minutes % 60}m`];
  return parts.filter((part) => !part.startsWith("0")).join(" ");
}

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** `1 task`, `2 tasks`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
