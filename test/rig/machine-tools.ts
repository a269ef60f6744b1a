import { toolHomes } from "../../src/sandbox/tool-homes.ts";

/** Where version managers of the machine find what they installed, for a world with another HOME. */
export const toolEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(toolHomes(process.env)).filter(([name]) => ["CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT"].includes(name)),
);

/** The same as the beginning of a command line. */
export const toolWords: string = Object.entries(toolEnvironment)
  .map(([name, home]) => `${name}='${home}' `)
  .join("");
