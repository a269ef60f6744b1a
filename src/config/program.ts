import * as z from "zod";

/** A program and its arguments. */
export const program = z.array(z.string()).refine((words) => (words[0] ?? "").trim() !== "", {
  error: "must begin with the name of a program",
});
