// An agent that speaks ACP as a script tells it: node acp-peer.mjs '<script as JSON>'.
// What it hears is appended to heard.jsonl in its working directory, or to the file that the script names. It ends when its standard input ends, and ends by INT
// once it was told to cancel.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { hold } from "./hold.mjs";

const script = JSON.parse(process.argv[2] ?? "{}");
const greeting = { protocolVersion: 1, agentCapabilities: {}, authMethods: [] };
const answers = {
  initialize: script.initialize ?? { result: greeting },
  "session/new": script.session ?? { result: { sessionId: "s1" } },
  "session/set_config_option": script.set ?? { result: {} },
  "session/set_model": script.set ?? { result: {} },
};
let nextId = 0;
let interrupted = false;
let cancelled = false;
const waiting = new Map();

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** One thing of a turn: a hold of the test, a file, a long line, a line as it stands, a request that is waited for, many of them, or a notification. */
async function act(step) {
  if (step.hold !== undefined) await hold(join(process.env.RIG_MOVES, "..", step.hold));
  else if (step.write !== undefined) writeFileSync(step.write, step.text);
  else if (step.long !== undefined) process.stdout.write(`${"x".repeat(step.long)}\n`);
  else if (step.raw !== undefined) process.stdout.write(`${step.raw}\n`);
  else if (step.flood !== undefined) await Promise.all(Array.from({ length: step.flood }, () => ask(step.request)));
  else if (step.request !== undefined) await ask(step.request);
  else send({ method: "session/update", params: { sessionId: step.session ?? "s1", update: step.update } });
}

function ask(request) {
  nextId += 1;
  const id = `r${nextId}`;
  send({ id, ...request });
  return new Promise((resolve) => waiting.set(id, resolve));
}

async function hear(line) {
  const message = JSON.parse(line);
  appendFileSync(script.heard ?? "heard.jsonl", `${line}\n`);
  if (message.method === undefined) waiting.get(message.id)?.(message);
  else if (script.exitAt === message.method) process.exit(3);
  else if (message.method === "session/cancel") cancelled = true;
  else if (message.method === "session/prompt") await takeTurn(message.id);
  else send({ id: message.id, ...answers[message.method] });
  if (interrupted && cancelled) process.exit(0);
}

async function takeTurn(id) {
  for (const step of script.turn ?? []) await act(step);
  if (script.answer !== null) send({ id, ...(script.answer ?? { result: { stopReason: "end_turn" } }) });
}

createInterface({ input: process.stdin }).on("line", (line) => void hear(line));

process.on("SIGINT", () => {
  interrupted = true;
  if (cancelled) process.exit(0);
});
