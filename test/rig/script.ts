import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Rig } from "./rig.ts";

/** A program that uses the library by its name, as `program` of a call of the rig: a file of ours, or its text. */
export function scriptIn({ root }: Rig, script: { readonly file: string } | { readonly text: string }): string {
  const modules = join(root, "node_modules");
  if (!existsSync(modules)) {
    mkdirSync(modules);
    symlinkSync(resolve("."), join(modules, "stint"));
  }
  const path = join(root, "script.mjs");
  if ("file" in script) cpSync(script.file, path);
  else writeFileSync(path, script.text);
  return path;
}
