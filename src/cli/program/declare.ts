import type { Command } from "commander";
import type { Io } from "../io.ts";

/** Ends the program with the exit code of a command. */
export type Go = (command: Promise<number>) => Promise<void>;

/** Declares one command of the program. */
export type Declare = (program: Command, io: Io, go: Go) => void;
