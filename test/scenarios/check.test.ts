import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The port of a server of the host, which a check without network cannot reach: it has a loopback of its own. */
async function listening(): Promise<number> {
  const server = createServer((socket) => socket.end());
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const asks = (port: number): string =>
  `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", () => process.exit(7)).on("connect", () => process.exit(0))'`;

const failsAlready =
  /^ {9}plans\/.*\.md:\d+: already fails on HEAD, before any work: fix it first, remove it, or drop `red: false` /;

test.skipIf(!canConfine)(
  "A check that only the network can make answer is told the key; one that it does not help is told its own cure.",
  async () => {
    const ask = asks(await listening());
    const tasks = (outside: string) => ({
      "01-a": makes("a.txt", {
        checks: [
          "grep -q ready a.txt",
          `${ask} || exit 127`,
          { run: ask, red: false },
          { run: "exit 7", red: false },
          { run: `test -e ${outside}/once || { touch ${outside}/once; exit 7; }`, red: false },
          { run: "sleep 1000", timeout: "100ms" },
        ],
      }),
    });
    await using rig = await createRig({
      sandbox: "bwrap",
      plan: (outside) => ({ tasks: tasks(outside), checks: [ask] }),
      rules: { checks: [ask] },
    });

    const check = await rig.stint(["check"]);

    expectCode(check, 4);
    const written = JSON.stringify(ask);
    expect(check.stdout.split("\n")).toEqual([
      "01-a Do 01-a",
      "  red    grep -q ready a.txt (exit 2)",
      "         | grep: a.txt: No such file or directory",
      expect.stringMatching(/^ {9}log: \/.*\/check-log\/task-01-a\/check-1\.log$/),
      `  broken ${ask} || exit 127 (command not found (exit 127))`,
      `         plans/work/tasks/01-a.md:10: this check needs the network: write { run: ${JSON.stringify(`${ask} || exit 127`)}, network: true }`,
      `  red    ${ask} (exit 7)`,
      `         plans/work/tasks/01-a.md:11: this check needs the network: write { run: ${written}, red: false, network: true }`,
      "  red    exit 7 (exit 7)",
      expect.stringMatching(failsAlready),
      // It is green the second time, and so it is without the network.
      expect.stringMatching(/^ {2}red {4}test -e .*once \|\| .* \(exit 7\)$/),
      "         plans/work/tasks/01-a.md:15: passed when it was run again, so it is flaky: fix it first, or a run may blame a task for it",
      "  broken sleep 1000 (did not end within 0.1 s)",
      "         plans/work/tasks/01-a.md:17: Raise the check's `timeout:`, or make the command end by itself.",
      "rules",
      `  red    ${ask} (exit 7)`,
      `         .stint/rules.md:3: this check needs the network: write { run: ${written}, network: true }`,
      "plan",
      // The final tip may be another thing: whether red is right there is not known.
      `  red    ${ask} (exit 7)`,
      "8 checks: 6 red, 2 broken",
      "",
    ]);
    // Whatever gets the network unasked is named; what is red by right, or of the plan, does not get it.
    expect(check.stderr.split("\n").filter((line) => line.startsWith("Retrying"))).toEqual([
      `Retrying with network access: ${ask} || exit 127`,
      `Retrying with network access: ${ask}`,
      "Retrying with network access: exit 7",
      expect.stringMatching(/^Retrying with network access: test -e /),
      "Retrying with network access: sleep 1000",
      `Retrying with network access: ${ask}`,
    ]);
  },
);

test.skipIf(!canConfine)("With the key it asks for, the same check is green, and as JSON it has no cure.", async () => {
  const ask = asks(await listening());
  const checks = ["grep -q ready a.txt", { run: ask, red: false, network: true }];
  await using rig = await createRig({ sandbox: "bwrap", plan: { tasks: { "01-a": makes("a.txt", { checks }) } } });

  const check = await rig.stint(["check", "--json"]);

  expectCode(check, 0);
  expect(JSON.parse(check.stdout)).toEqual([
    { task: "01-a", label: "grep -q ready a.txt", state: "red", why: "exit 2", cure: null, log: expect.any(String) },
    { task: "01-a", label: ask, state: "green", why: "exit 0", proof: "exit code only", cure: null },
  ]);
});

test("Where a failed set-up breaks every check, its place and its output are told once.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    config: { workspace: { setup: "echo installing; echo no route >&2; exit 9" } },
  });

  const check = await rig.stint(["check"]);

  expectCode(check, 4);
  const [, first, cure, ...rest] = check.stdout.split("\n");
  expect(first).toBe(
    "  broken grep -q ready a.txt (set-up failed (exit 9): echo installing; echo no route >&2; exit 9)",
  );
  expect(cure).toMatch(
    /^ {9}\.stint\/config\.yaml:\d+: set-up fails on this commit, with the network: fix workspace\.setup, or what it needs$/,
  );
  expect(rest).toEqual([
    "         | installing",
    "         | no route",
    expect.stringMatching(/^ {9}log: \/.*\/check-log\/task-01-a\/setup\.log$/),
    "02-b Do 02-b",
    "  broken grep -q ready b.txt (set-up failed)",
    "2 checks: 2 broken",
    "",
  ]);
  const json = JSON.parse((await rig.stint(["check", "--json"])).stdout) as { cure: string }[];
  expect(json.map((one) => one.cure)).toEqual([cure?.trim(), cure?.trim()]);
});

test("A task that has nothing to do, and one that would be blocked for a regression, are told so.", async () => {
  await using rig = await createRig({
    files: { "a.txt": "ready\n" },
    plan: {
      tasks: {
        "01-a": { files: { modify: ["a.txt"] }, checks: ["grep -q ready a.txt"] },
        "02-b": { files: { modify: ["a.txt"] }, checks: ["grep -q ready a.txt", { run: "exit 3", red: false }] },
        "03-c": { files: { modify: ["a.txt"] }, checks: ["grep -q done a.txt", { exists: "a.txt", red: false }] },
      },
    },
  });

  const check = await rig.stint(["check"]);

  expectCode(check, 0);
  expect(check.stdout.split("\n")).toEqual([
    "01-a Do 01-a",
    "  green  grep -q ready a.txt",
    "  nothing to do: all checks pass on HEAD, so a run could prove nothing",
    "02-b Do 02-b",
    "  green  grep -q ready a.txt",
    "  red    exit 3 (exit 3)",
    expect.stringMatching(failsAlready),
    "  would be blocked: a check marked red: false is red before the work, and nothing else is: exit 3",
    "03-c Do 03-c",
    "  red    grep -q done a.txt (exit 1)",
    "  green  exists: a.txt",
    "5 checks: 2 red, 3 green",
    "",
  ]);
});

test("A check of the rules that is red on HEAD is reported with its output and its place; one of a task is what it should be, and its output shows why it is red.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["echo not yet; exit 1"] }) } },
    rules: { checks: ["echo no licence; exit 3"] },
  });

  const check = await rig.stint(["check"]);

  expectCode(check, 0);
  expect(check.stdout.split("\n")).toEqual([
    "01-a Do 01-a",
    "  red    echo not yet; exit 1 (exit 1)",
    "         | not yet",
    expect.stringMatching(/^ {9}log: \/.*\/check-log\/task-01-a\/check-1\.log$/),
    "rules",
    "  red    echo no licence; exit 3 (exit 3)",
    expect.stringMatching(
      /^ {9}\.stint\/rules\.md:\d+: already fails on HEAD, so only a task that fixes it can pass: /,
    ),
    "         | no licence",
    expect.stringMatching(/^ {9}log: \/.*\/check-log\/rules\/check-1\.log$/),
    "2 checks: 2 red",
    "",
  ]);
});

test("Without a plan, `stint check` tries set-up and the rules' checks, and says what is wrong with them.", async () => {
  const check = async (setup: string | undefined, checks: readonly string[]) => {
    await using rig = await createRig({
      rules: { checks },
      ...(setup !== undefined && { config: { workspace: { setup } } }),
    });
    return await rig.stint(["check"]);
  };
  const both = await check("echo made > made.txt", ["test -s made.txt", "test -s nothing.txt"]);
  expectCode(both, 0);
  expect(both.stderr).toContain("No plan yet. Trying set-up (echo made > made.txt) and the rules' checks on HEAD");
  expect(both.stdout).toMatch(/rules\n {2}green {2}test -s made\.txt\n {2}red {4}test -s nothing\.txt/);
  const setup = await check("true", []);
  expectCode(setup, 0);
  expect(setup.stdout).toBe("set-up\n  green  true\n1 check: 1 green\n");
  const broken = await check("echo no such registry >&2; exit 1", []);
  expectCode(broken, 4);
  expect(broken.stdout).toContain("no such registry");
  const nothing = await check(undefined, []);
  expectCode(nothing, 2);
  expect(nothing.stderr).toContain("Add a check to .stint/rules.md");
  expect(nothing.stderr).not.toContain("stint init");
});
