/** A sign, the languages it is one in, and what it does. */
export interface Sign {
  readonly of: RegExp;
  readonly pattern: RegExp;
  readonly what: string;
  /** What the file must hold besides, where the line alone could be honest. */
  readonly with?: RegExp;
}

/** What code may not do: */
export const asks = "asks whether a test is running";
export const looks = "looks for what judges it";
export const deafens = "changes what tests rely on";
