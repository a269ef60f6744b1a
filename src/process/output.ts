import type { Redactor } from "../base/redact.ts";
import type { HeldProcess } from "./held-process.ts";
import type { LineSplitter } from "./lines.ts";
import type { OutputLog } from "./output-log.ts";

/** The output of a child while it is collected. */
export interface Output {
  /** Resolves when no process can write any more. */
  readonly drained: Promise<void>;
  /** The number of bytes received, which shows whether there was output since the last reading. */
  readonly receivedBytes: () => number;
  /** Writes what was held back, passes on the last line, and closes; what is written later is lost. */
  readonly finish: () => ReturnType<OutputLog["finish"]>;
}

export interface OutputSinks {
  readonly log: OutputLog;
  /** Gets standard output alone, unchanged. */
  readonly lines?: LineSplitter | undefined;
  /** Removes secrets before anything is written to the log. */
  readonly redact?: Redactor | undefined;
}

/** Sends a child's output where it belongs, from its first byte on. */
export function collectOutput(
  { output, errors }: Pick<HeldProcess, "output" | "errors">,
  { log, lines, redact }: OutputSinks,
): Output {
  let received = 0;
  const pipes = (errors === null ? [output] : [output, errors]).map((pipe) => {
    const shown = redact?.stream();
    pipe.listen((chunk) => {
      received += chunk.length;
      log.write(shown === undefined ? chunk : shown.write(chunk));
      if (pipe === output) lines?.write(chunk);
    });
    return { pipe, shown };
  });
  return {
    drained: Promise.all(pipes.map(({ pipe }) => pipe.ended)).then(() => undefined),
    receivedBytes: () => received,
    finish: () => {
      for (const { pipe, shown } of pipes) {
        pipe.close();
        if (shown !== undefined) log.write(shown.end());
      }
      lines?.end();
      return log.finish();
    },
  };
}
