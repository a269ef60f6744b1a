/** A command that runs now, for people who watch. Nothing is decided by it. */
export interface RunningCommand {
  /** The command as people know it. */
  readonly name: string;
  /** What it has printed so far, without secrets. */
  readonly logFile: string;
}

/** Is called with a command that starts, and returns what is called when it has ended. */
export type CommandWatch = (command: RunningCommand) => () => void;
