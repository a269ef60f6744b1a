/** A time as people say it: `45s`, `20m`, `1h 15m`, `125h`. */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes === 0) return `${Math.round(ms / 1_000)}s`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours === 0 ? [] : [`${hours}h`]), ...(rest === 0 ? [] : [`${rest}m`])].join(" ");
}

/** `1 task`, `2 tasks`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
