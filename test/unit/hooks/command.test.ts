import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../../src/hooks/command.ts";
import { hooksLimits } from "../../../src/hooks/limits.ts";
import { redactor } from "../../../src/base/redact.ts";
import { createHooked, integrated, quick, run, unhurried, type Hooked } from "../../rig/hooked.ts";

const on = ["task-integrated"];
const read = ({ root }: Hooked, name: string) => readFileSync(join(root, name), "utf8");

test("a program gets the event as JSON on standard input, in the repo root, with the user's environment and a few names", async () => {
  using hooked = createHooked();
  hooked.script(
    "after.sh",
    'cat > told.json; pwd > where; printf "%s\\n" "$@" > words; env | grep -E "^(MINE|STINT|PATH)" | sort > names',
  );
  const env = { PATH: `bin:.:${process.env["PATH"] ?? ""}`, MINE: "my own" };
  const hooks = hooked.open([{ on, command: ["./after.sh", "--to", "a room"] }], { env });
  hooks.hear(integrated(1));
  await hooks.end(unhurried);

  expect(hooked.log()).toEqual(["hook 1 (./after.sh --to a room), task-integrated, event 1: delivered"]);
  expect(read(hooked, "told.json")).toBe(
    `${JSON.stringify({ run, plan: "work", hook: "task-integrated", event: integrated(1) })}\n`,
  );
  expect(read(hooked, "where")).toBe(`${hooked.root}\n`);
  expect(read(hooked, "words")).toBe("--to\na room\n");
  expect(read(hooked, "names").replaceAll(/^STINT_HOOK_(ID|CALL)=.*\n/gm, "")).toBe(
    [
      "MINE=my own",
      `PATH=${process.env["PATH"] ?? ""}`,
      `STINT_EVENT=${run}/1`,
      "STINT_HOOK=task-integrated",
      "STINT_PLAN=work",
      `STINT_RUN=${run}\n`,
    ].join("\n"),
  );
});

test("programs of one hook run one at a time, in the journal's order", async () => {
  using hooked = createHooked();
  hooked.script("after.sh", "mkdir busy || exit 9; cat >> told; rmdir busy");
  const hooks = hooked.open([{ on, command: ["./after.sh"] }]);
  for (const seq of [1, 2, 3]) hooks.hear(integrated(seq));
  await hooks.end(unhurried);
  const told = read(hooked, "told").trimEnd().split("\n");
  expect(told.map((line) => (JSON.parse(line) as { event: { seq: number } }).event.seq)).toEqual([1, 2, 3]);
});

test("one that fails, or cannot be started, is reported once with its last words, and not retried", async () => {
  using hooked = createHooked();
  hooked.script("after.sh", "echo tried >> count; echo 'no such room' >&2; exit 3");
  const hooks = hooked.open([
    { on, command: ["./after.sh"] },
    { on, command: ["./missing.sh"] },
  ]);
  for (const seq of [1, 2]) hooks.hear(integrated(seq));
  await hooks.end(unhurried);

  expect(read(hooked, "count")).toBe("tried\ntried\n");
  expect(hooked.warned.toSorted()).toEqual([
    "hook 1 (./after.sh) exited with 3: no such room. The run continues; details are in …/hooks.log.",
    `hook 2 (./missing.sh) cannot be started: ${hooked.root}/missing.sh does not exist. The run continues; details are in …/hooks.log.`,
  ]);
});

test("one that hangs is ended with all it started", async () => {
  using hooked = createHooked();
  hooked.script("after.sh", "setsid sleep 1000 & (trap '' INT TERM; sleep 1001) & sleep 1002");
  const hooks = hooked.open([{ on, command: ["./after.sh"] }], { times: { ...quick, commandMsMax: 300 } });
  hooks.hear(integrated(1));
  await hooks.end(unhurried);
  expect(hooked.log()).toEqual([
    "hook 1 (./after.sh), task-integrated, event 1: did not finish within 0.3 s and was killed",
  ]);
  expect(hooked.processes()).toEqual([]);
});

test("one that a dead driver left running is ended before the same event is sent again", async () => {
  using hooked = createHooked();
  hooked.script("after.sh", "test -e again || { touch again; setsid sleep 1000 & sleep 1001; }; cat > told");
  const first = hooked.open([{ on, command: ["./after.sh"] }], { times: { ...quick, drainMs: 600_000 } });
  first.hear(integrated(1));
  // As if its driver were gone: nobody ends it, and the cursor stays where it is.
  while (hooked.processes().filter((command) => command.startsWith("sleep")).length < 2)
    await new Promise((resolve) => setImmediate(resolve));
  const second = hooked.open([{ on, command: ["./after.sh"] }], { entries: [integrated(1)] });
  await second.end(unhurried);
  expect(read(hooked, "told")).toContain('"seq":1');
  expect(hooked.processes()).toEqual([]);
  await first.end(unhurried);
});

test("the end of one program leaves another one of the same hook alone, such as that of the next driver", async () => {
  using hooked = createHooked();
  hooked.script("after.sh", 'test "$1" = short || { touch began; until test -e go; do sleep 0.02; done; }');
  const options = {
    root: hooked.root,
    env: process.env,
    run,
    plan: "work",
    marker: ["STINT_HOOK_ID", `${run}/1`],
    redact: redactor([]),
    msMax: 60_000,
  } as const;
  const message = { seq: 1, id: `${run}/1`, name: "task-integrated", body: "{}" };
  const runs = async (word: string) =>
    await runProgram(
      { ...options, command: ["./after.sh", word], logFile: join(hooked.dir, word) },
      message,
      unhurried,
    );
  const long = runs("long");
  while (!existsSync(join(hooked.root, "began"))) await new Promise((resolve) => setImmediate(resolve));
  expect(await runs("short")).toEqual({ kind: "delivered" });
  writeFileSync(join(hooked.root, "go"), "");
  expect(await long).toEqual({ kind: "delivered" });
});

test("a flood of output is cut, and secrets in it are struck out", async () => {
  using hooked = createHooked();
  hooked.script("after.sh", "yes flood | head -c 6000000; echo my cnry-7Kq2xV9z; exit 1");
  const redact = redactor([{ name: "TOKEN", value: "cnry-7Kq2xV9z" }]);
  const hooks = hooked.open([{ on, command: ["./after.sh"] }], { redact });
  hooks.hear(integrated(1));
  await hooks.end(unhurried);
  expect(hooked.log()).toEqual(["hook 1 (./after.sh), task-integrated, event 1: exited with 1: my [secret TOKEN]"]);
  const output = join(hooked.dir, "hook-1.log");
  expect(statSync(output).size).toBeLessThan(hooksLimits.hookOutputBytesMax + 1_000);
  expect(readFileSync(output, "utf8")).toContain("my [secret TOKEN]");
});

test("a program that is not the approved one is not run", async () => {
  using hooked = createHooked();
  hooked.script("after.sh", "touch ran");
  const whyNotApproved = (command: readonly string[]) => `${command[0] ?? ""} was changed after the plan was approved`;
  const hooks = hooked.open([{ on, command: ["./after.sh"] }], { whyNotApproved });
  hooks.hear(integrated(1));
  await hooks.end(unhurried);
  expect(hooked.warned).toEqual([
    "hook 1 (./after.sh) was not run: ./after.sh was changed after the plan was approved. The run continues; details are in …/hooks.log.",
  ]);
  expect(() => read(hooked, "ran")).toThrow("ENOENT");
});
