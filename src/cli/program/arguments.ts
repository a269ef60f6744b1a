import { InvalidArgumentError } from "commander";

/** Collects the values of an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Parses a whole number from 1 to 9999. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 to 9999.");
  return Number(text);
}

/** Parses a whole number from 1 to `most`. */
export function wholeNumberTo(most: number): (text: string) => number {
  return (text) => {
    const value = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return value;
  };
}

/** Parses a number above 0; fractions are fine. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}
