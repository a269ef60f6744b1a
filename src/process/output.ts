import type { Redactor } from "../base/redact.ts";
import type { HeldProcess } from "./held-process.ts";
import type { LineSplitter } from "./lines.ts";
import type { OutputLog } from "./output-log.ts";

/** What a child writes while it is collected. */
export interface Output {
  /** Resolves when nobody can write any more. */
  readonly drained: Promise<void>;
  /** All bytes received, which tells whether there was output since the last look. */
  readonly receivedBytes: () => number;
  /** Takes what was held back, hears the last line, and closes; what is written later is lost. */
  readonly finish: () => ReturnType<OutputLog["finish"]>;
}

export interface OutputSinks {
  readonly log: OutputLog;
  /** Hears standard output alone, as it is. */
  readonly lines?: LineSplitter | undefined;
  /** Strikes secrets out before anything is written down. */
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
