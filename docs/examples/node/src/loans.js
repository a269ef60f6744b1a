import { readFileSync } from "node:fs";

const day = /^\d{4}-\d{2}-\d{2}$/;

/** Reads loans of a JSON file; a loan that is not complete is an error that names it. */
export function readLoans(file) {
  return parseLoans(readFileSync(file, "utf8"));
}

export function parseLoans(text) {
  return JSON.parse(text).map((loan, index) => {
    const { title, reader, due } = loan;
    if (!title || !reader || !day.test(due ?? "")) throw new Error(`loan ${index + 1} is not complete`);
    return { title, reader, due };
  });
}
