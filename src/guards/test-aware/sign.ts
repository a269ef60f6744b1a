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
export const ends = "ends the program, as if all were well, when it is only loaded";
export const equalsAll = "makes objects that equal everything";
export const hides = "is in an encoding in which its text does not say what it does";
