// The program of the `scripted` driver: performs the moves that a file names for its task and attempt.
import { readFileSync } from "node:fs";
import { movesOf } from "./moves.ts";
import { type LastWord, type Line, perform, type Stage } from "./perform.ts";

const [file = ""] = process.argv.slice(2);
const { STINT_TASK, STINT_ROLE = "", STINT_ATTEMPT: attempt = "1", STINT_OUTBOX: outbox = "." } = process.env;
// A judge of a task must not do what its executor does, although one file may have the moves of both.
const task = [STINT_ROLE === "judge" ? "judge" : null, STINT_TASK].filter(Boolean).join(":") || STINT_ROLE;

const stage: Stage = {
  say: (line) => void process.stdout.write(`${JSON.stringify(line)}\n`),
  spill: async (bytes) => {
    await new Promise<void>((resolve) => {
      process.stdout.write(bytes, () => resolve());
    });
  },
  outbox,
};

async function play(): Promise<LastWord> {
  const script = readMoves();
  if ("problem" in script) return { type: "end", kind: "misconfigured", detail: `${file} ${script.problem}` };
  for (const move of script.moves) {
    const end = await perform(move, stage);
    if (end !== undefined) return end;
  }
  return { type: "end", kind: "ok" };
}

function readMoves(): ReturnType<typeof movesOf> {
  try {
    return movesOf(readFileSync(file, "utf8"), { task, attempt });
  } catch (error) {
    return { problem: `cannot be read: ${(error as NodeJS.ErrnoException).code}` };
  }
}

// Reads the whole prompt, as an agent does, so that its writer does not meet a closed pipe.
readFileSync(0);
const start: Line = { type: "start", session: `${task}.${attempt}` };
stage.say(start);
const end = await play();
stage.say(end);
process.exitCode = end.kind === "ok" ? 0 : 1;
