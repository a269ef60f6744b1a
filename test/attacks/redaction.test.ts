import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const canary = "cnry-7Kq2x9Vz4Wm8-Lp3";
const spellings = [
  canary,
  Buffer.from(canary).toString("base64").slice(0, -4),
  Buffer.from(`k${canary}`).toString("base64").slice(2, -4),
  Buffer.from(`k=${canary}`).toString("base64").slice(3, -4),
  Buffer.from(canary).toString("hex"),
];

/** Prints the value in every spelling, in one write and in two, on both streams, and claims it in its report. */
const leaks: readonly Move[] = [
  { shell: 'echo "plain $MY_TOKEN"; printf "k$MY_TOKEN" | base64; printf "k=$MY_TOKEN" | base64' },
  {
    shell:
      'echo "errors $MY_TOKEN" >&2; printf "$MY_TOKEN" | base64; printf "$MY_TOKEN" | od -An -v -tx1 | tr -d " \\n"',
  },
  { shell: 'printf "%.9s" "$MY_TOKEN"; sleep 0.2; printf "%s\\n" "${MY_TOKEN#?????????}"' },
  {
    shell:
      'printf \'{"status":"done","summary":"used %s","notes":"%s"}\' "$MY_TOKEN" "$(printf "$MY_TOKEN" | base64)" > "$STINT_OUTBOX/report.json"',
  },
];

async function rigThatLeaks(variable: string): Promise<Rig> {
  const check = 'echo "the check has $MY_TOKEN"; grep -q ready a.txt';
  return createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: [check] }) } },
    config: {
      agents: { scripted: { driver: "command", command: agent, env: ["RIG_MOVES", variable] } },
      workspace: { env: [variable] },
    },
    // The first attempt fails its check, so that the second one's prompt quotes what the first printed.
    moves: { "01-a": { 1: [...leaks, { write: "a.txt", text: "not yet\n" }], 2: [...leaks, ...writes("a.txt")] } },
  });
}

const agent = [process.execPath, join(import.meta.dirname, "..", "rig", "agent.mjs")];

test("a secret that an agent and a check print in any spelling is in no log, journal, document or commit, nor on the screen", async () => {
  await using rig = await rigThatLeaks("MY_TOKEN");

  const run = await rig.stint(["run", "--yes"], { env: { MY_TOKEN: canary } });
  expectCode(run, 0);
  const status = await rig.stint(["status", "--json"], { env: { MY_TOKEN: canary } });
  const shown = [run.stdout, run.stderr, status.stdout, rig.git("log", "--all", "--format=%B")].join("\n");

  expect(leaksIn(shown)).toEqual([]);
  expect(leaksBelow(join(rig.gitDir, "stint"))).toEqual([]);
  expect(leaksBelow(join(rig.root, "state"))).toEqual([]);
  const log = readFileSync(join(attemptDir(rig, 1), "output.log"), "utf8");
  expect(log).toContain("plain [secret MY_TOKEN]\n");
  expect(log).toContain("errors [secret MY_TOKEN]\n");
  expect(rig.events("agent-finished", "01-a")[0]).toMatchObject({
    report: { status: "done", summary: "used [secret MY_TOKEN]", notes: "[secret MY_TOKEN]" },
  });
  expect(readFileSync(join(attemptDir(rig, 2), "prompt.md"), "utf8")).toContain("the check has [secret MY_TOKEN]");
});

test("control: a value that is not known as a secret is in all of them", async () => {
  await using rig = await rigThatLeaks("MY_TOKEN");
  // The agent gets the value by a file instead of by a variable that is let through.
  rig.write("token.sh", `MY_TOKEN=${canary}\n`);
  rig.commit("Hold the value");
  const sourced = leaks.map((move) => ("shell" in move ? { shell: `. ./token.sh; ${move.shell}` } : move));
  rig.moves({ "01-a": [...sourced, ...writes("a.txt")] });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  const found = leaksBelow(join(rig.gitDir, "stint")).join("\n");
  for (const name of ["output.log", "journal.jsonl", "report.json"]) expect(found).toContain(name);
});

test("a value that is no secret is shown as it is", async () => {
  await using rig = await rigThatLeaks("MY_MODE");
  rig.moves({ "01-a": [{ shell: 'echo "mode $MY_MODE"' }, ...writes("a.txt")] });

  expectCode(await rig.stint(["run", "--yes"], { env: { MY_MODE: "production" } }), 0);
  expect(readFileSync(join(attemptDir(rig, 1), "output.log"), "utf8")).toBe("mode production\n");
});

test("a secret that looks like a word of the journal derails no run", async () => {
  await using rig = await rigThatLeaks("MY_TOKEN");
  rig.moves({ "01-a": [{ report: { status: "done", summary: "all executor" } }, ...writes("a.txt")] });

  expectCode(await rig.stint(["run", "--yes"], { env: { MY_TOKEN: "executor" } }), 0);
  expect(rig.events("attempt-started", "01-a")[0]).toMatchObject({ role: "executor" });
  expect(rig.events("agent-finished", "01-a")[0]).toMatchObject({ report: { summary: "all [secret MY_TOKEN]" } });
});

function attemptDir(rig: Rig, attempt: number): string {
  const [run = ""] = readdirSync(join(rig.gitDir, "stint", "runs"));
  return join(rig.gitDir, "stint", "runs", run, "attempts", `01-a.${attempt}`);
}

function leaksBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => leaksIn(readFileSync(file, "latin1")).length > 0);
}

/** Line ends within an encoding are not to hide it. */
function leaksIn(text: string): string[] {
  const joined = text.replaceAll("\n", "").replaceAll("\\n", "");
  return spellings.filter((spelling) => joined.includes(spelling) || joined.includes(spelling.toUpperCase()));
}
