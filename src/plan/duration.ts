const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A duration as people say it: 45m, 1h 30m; below a minute as plans write it. */
export function showDuration(ms: number): string {
  if (ms % minuteMs !== 0) return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
  const [hours, minutes] = [Math.floor(ms / hourMs), (ms % hourMs) / minuteMs];
  if (hours === 0) return `${minutes}m`;
  return minutes === 0 ? `${hours}h` : `${hours}h ${minutes}m`;
}
