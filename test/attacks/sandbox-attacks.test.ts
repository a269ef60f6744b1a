import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { canConfine, createWorld, runIn, type World } from "../rig/sandbox-world.ts";

/** The same command line succeeds without a sandbox, so that its failure inside one means something. */
async function attack(world: World, line: string, env: Record<string, string> = {}) {
  const hidden = [join(world.root, "repo"), join(world.root, "state")];
  const inside = world.enclose(await world.find({ hidden }));
  const outside = world.enclose(await world.find({ mode: "none" }));
  const confined = runIn(inside, line, { env });
  const free = runIn(outside, line, { env });
  return { confined: confined.code === 0, free: free.code === 0, said: confined.out };
}

const held = { confined: false, free: true };

test.skipIf(!canConfine).each<[string, string, (world: World) => string]>([
  ["the user's key", "home/.ssh/id", ({ home }) => `cat '${home}/.ssh/id'`],
  ["a file of the user's work tree", "repo/src/a.ts", ({ root }) => `cat '${root}/repo/src/a.ts'`],
  [
    "another run's journal",
    "repo/.git/stint/runs/r/journal.jsonl",
    ({ root }) => `ls '${root}/repo/.git/stint/runs/r'`,
  ],
  ["another run's workspace", "state/k/r/workspaces/t.1/tree/a", ({ root }) => `cat '${root}'/state/k/*/*/*/*/a`],
])("%s cannot be read", async (_, file, line) => {
  const world = createWorld();
  world.write(file, "secret\n");
  expect(await attack(world, line(world))).toMatchObject(held);
});

test.skipIf(!canConfine).each<[string, string]>([
  ["the user's shell start-up file", "home/.bashrc"],
  ["the control repository's settings", "repo/.git/stint/control.git/config"],
  ["another run's journal", "repo/.git/stint/runs/r/journal.jsonl"],
  ["another run's workspace", "state/k/r/workspaces/t.1/tree/a"],
  ["a file of nobody's in particular", "elsewhere/a"],
])("%s cannot be written", async (_, path) => {
  const world = createWorld();
  const file = world.write(path, "as it was\n");
  const inside = world.enclose(await world.find({ hidden: [join(world.root, "repo"), join(world.root, "state")] }));
  const line = `echo changed >> '${file}'`;
  expect(runIn(inside, line).code).not.toBe(0);
  expect(readFileSync(file, "utf8")).toBe("as it was\n");
  expect(runIn(world.enclose(await world.find({ mode: "none" })), line).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("as it was\nchanged\n");
});

test.skipIf(!canConfine)("neither Stint's environment nor its processes can be seen", async () => {
  const world = createWorld();
  expect(await attack(world, `tr '\\0' '\\n' < /proc/${process.pid}/environ | grep -q ^PATH=`)).toMatchObject(held);
  expect(await attack(world, `kill -0 ${process.pid}`)).toMatchObject(held);
});

test.skipIf(!canConfine)("settings of the kernel cannot be changed, by root neither", async () => {
  const world = createWorld();
  const line = "find /proc/sys /sys -type f -writable 2>/dev/null | head -1";
  expect(runIn(world.enclose(await world.find()), line).out).toBe("");
  const root = process.getuid?.() === 0;
  expect(runIn(world.enclose(await world.find({ mode: "none" })), line).out !== "").toBe(root);
});

/** A server that says hello to whoever connects. */
async function listening(place: string | number): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end("hello");
  });
  if (typeof place === "string") server.listen(place);
  else server.listen(place, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

const connect = (to: string) =>
  `'${process.execPath}' -e 'require("net").connect(${to}).on("data", () => process.exit(0)).on("error", () => process.exit(1))'`;

/** A server has to answer while the client runs, so the client must not block this process. */
async function reaches(world: World, to: string, network: boolean, mode: "bwrap" | "none") {
  const { supervise } = await import("../../src/process/supervise.ts");
  const enclosure = world.enclose(await world.find({ mode }), { network });
  const command = enclosure.enter({
    argv: ["/bin/sh", "-c", connect(to)],
    cwd: enclosure.folders.workspace,
    env: { PATH: "/usr/bin:/bin" },
  });
  const { signal } = new AbortController();
  const logFile = join(world.root, "log");
  const ended = await supervise({ ...command, logFile, outputBytesMax: 10_000, wallMsMax: 30_000, signal });
  return ended.kind === "exited" && ended.code === 0;
}

test.skipIf(!canConfine)(
  "a check without network does not reach a server on the host's loopback; one with network does",
  async () => {
    const world = createWorld();
    const server = await listening(0);
    const { port } = server.address() as { port: number };
    const to = `${port}, "127.0.0.1"`;
    expect(await reaches(world, to, false, "bwrap")).toBe(false);
    expect(await reaches(world, to, true, "bwrap")).toBe(true);
    expect(await reaches(world, to, false, "none")).toBe(true);
  },
);

const runtimeFolder = process.getuid?.() === 0 ? "/run" : `/run/user/${process.getuid?.()}`;

test.skipIf(!canConfine || !existsSync(runtimeFolder))(
  "a socket in /run, such as a container engine's, cannot be reached",
  async () => {
    const world = createWorld();
    const socket = join(runtimeFolder, `stint-test-${process.pid}.sock`);
    onTestFinished(() => rmSync(socket, { force: true }));
    await listening(socket);
    const to = JSON.stringify(socket);
    expect(await reaches(world, to, true, "bwrap")).toBe(false);
    expect(await reaches(world, to, true, "none")).toBe(true);
  },
);

test.skipIf(!canConfine)("a server of its own on a private loopback works without network", async () => {
  const world = createWorld();
  const inside = world.enclose(await world.find());
  const script = `const net = require("net");
    const server = net.createServer((s) => s.end("hi")).listen(0, "127.0.0.1", () =>
      net.connect(server.address().port, "127.0.0.1").on("data", (d) => { console.log(String(d)); process.exit(0); }));`;
  world.write("room/tree/serve.cjs", script);
  expect(runIn(inside, `'${process.execPath}' serve.cjs`)).toEqual({ code: 0, out: "hi\n" });
});

test.skipIf(!canConfine)("what is kept in /tmp, /var/tmp and below a hidden folder is gone with the room", async () => {
  const world = createWorld();
  const sandbox = await world.find();
  const keep = "echo kept > /tmp/kept && echo kept > /var/tmp/kept && cat /tmp/kept /var/tmp/kept";
  expect(runIn(world.enclose(sandbox), keep)).toEqual({ code: 0, out: "kept\nkept\n" });
  expect(runIn(world.enclose(sandbox), "ls /tmp /var/tmp").out).toBe("/tmp:\n\n/var/tmp:\n");
  expect(runIn(world.enclose(sandbox), `echo kept > '${world.home}/kept'`).code).not.toBe(0);
});

test.skipIf(!canConfine)(
  "the environment is not on the command line, where everybody on the machine could read it",
  async () => {
    const world = createWorld();
    const inside = world.enclose(await world.find());
    const command = inside.enter({ argv: ["env"], cwd: inside.folders.workspace, env: { KEY: "canary" } });
    expect(command.argv.join(" ")).not.toContain("canary");
    const seen = runIn(inside, "env", { env: { KEY: "canary" } })
      .out.trim()
      .split("\n");
    expect(seen.toSorted()).toEqual(["KEY=canary", "PATH=/usr/bin:/bin", "PWD=/stint/workspace"]);
  },
);
