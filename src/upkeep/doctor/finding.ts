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
