import { twoDigits } from "./duration.ts";

/** Writes a time of the same day by the hour, any other with its day, where the reader is. */
export function localTime(iso: string, now: number): string {
  const [at, today] = [new Date(iso), new Date(now)];
  const hour = at.toTimeString().slice(0, 5);
  return at.toDateString() === today.toDateString() ? hour : `${at.toDateString().slice(0, 10)}, ${hour}`;
}

/** Writes a time where the writer is, with the zone, for documents that are read later or elsewhere: 2026-11-17 19:52:27 +01:00. */
export function localStamp(iso: string): string {
  const at = new Date(iso);
  const minutes = -at.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join("-");
  const zone = `${minutes < 0 ? "-" : "+"}${twoDigits(hours)}:${twoDigits(rest)}`;
  return `${day} ${at.toTimeString().slice(0, 8)} ${zone}`;
}
