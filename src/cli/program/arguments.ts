import { InvalidArgumentError } from "commander";

/** For an option that may stand several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** At least 1, and of four digits at most. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}

/** At least 1, and no more than what makes sense. */
export function wholeNumberTo(most: number): (text: string) => number {
  return (text) => {
    const value = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return value;
  };
}

/** Also a fraction. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}
