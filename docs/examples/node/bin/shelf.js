#!/usr/bin/env node
import { readLoans } from "../src/loans.js";

const [command, file] = process.argv.slice(2);

try {
  if (command !== "list" || file === undefined) throw new Error("usage: shelf list <loans.json>");
  for (const { title, reader, due } of readLoans(file)) console.log(`${due}  ${reader}  ${title}`);
} catch (error) {
  console.error(`shelf: ${error.message}`);
  process.exitCode = 2;
}
