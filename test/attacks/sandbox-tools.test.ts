import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { canConfine, createWorld, runIn, type World } from "../rig/sandbox-world.ts";

const sh = (text: string) => `#!/bin/sh\n${text}\n`;

function link(world: World, path: string, target: string): void {
  const file = join(world.root, path);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(target, file);
}

/** What a command line says in a room of a user with these folders of PATH, relative to the world. */
async function says(world: World, line: string, folders: readonly string[]): Promise<string> {
  const PATH = [...folders.map((folder) => join(world.root, folder)), "/usr/bin", "/bin"].join(":");
  const sandbox = await world.find({ env: { PATH, HOME: world.home } });
  return runIn(world.enclose(sandbox), line, { env: { PATH } }).out.trim();
}

test.skipIf(!canConfine)("a tool of a version manager in HOME runs with its library", async () => {
  const world = createWorld();
  world.write("home/.nvm/versions/node/v20/lib/tool.sh", "echo version 20\n");
  world.write("home/.nvm/versions/node/v20/bin/tool", sh('. "$(dirname "$0")/../lib/tool.sh"'), 0o755);
  expect(await says(world, "tool", ["home/.nvm/versions/node/v20/bin"])).toBe("version 20");
});

test.skipIf(!canConfine)(
  "a link in ~/.local/bin leads to its program, also by several links, and to nothing beside it",
  async () => {
    const world = createWorld();
    world.write("home/.local/share/agent/versions/2", sh("echo agent 2"), 0o755);
    world.write("home/.local/share/keyrings/login", "secret\n");
    world.write("home/.local/share/agent/login", "secret\n");
    link(world, "home/.local/share/agent/current", "versions/2");
    link(world, "home/.local/bin/agent", "../share/agent/current");
    expect(await says(world, "agent", ["home/.local/bin"])).toBe("agent 2");
    expect(await says(world, `cd ${world.home}/.local && ls share share/agent`, ["home/.local/bin"])).toBe(
      "share:\nagent\n\nshare/agent:\ncurrent\nversions",
    );
  },
);

test.skipIf(!canConfine)("a program of an npm prefix runs with all packages of that prefix", async () => {
  const world = createWorld();
  world.write("home/.npm-global/lib/node_modules/part/say.sh", "echo packaged\n");
  world.write(
    "home/.npm-global/lib/node_modules/cli/bin/cli.sh",
    sh(`. ${world.home}/.npm-global/lib/node_modules/part/say.sh`),
    0o755,
  );
  link(world, "home/.npm-global/bin/cli", "../lib/node_modules/cli/bin/cli.sh");
  expect(await says(world, "cli", ["home/.npm-global/bin"])).toBe("packaged");
});

test.skipIf(!canConfine)("a folder of PATH that is itself a link works, and so does a HOME that is one", async () => {
  const world = createWorld();
  world.write("real/me/dotfiles/bin/tool", sh("echo linked"), 0o755);
  world.write("real/me/.ssh/id", "secret\n");
  link(world, "real/me/bin", "dotfiles/bin");
  link(world, "me", "real/me");
  const HOME = join(world.root, "me");
  const PATH = `${HOME}/bin:/usr/bin:/bin`;
  const inside = world.enclose(await world.find({ env: { PATH, HOME } }));
  expect(runIn(inside, "tool", { env: { PATH } }).out).toBe("linked\n");
  expect(runIn(inside, `ls -A ${HOME} ${HOME}/dotfiles`).out).toBe(
    `${HOME}:\nbin\ndotfiles\n\n${HOME}/dotfiles:\nbin\n`,
  );
});

test.skipIf(!canConfine)("HOME on PATH does not show HOME, and a tool beside logins does not show them", async () => {
  const world = createWorld();
  world.write("home/notes.txt", "secret\n");
  world.write("home/.docker/config.json", "secret\n");
  world.write("home/.docker/bin/tool", sh("echo docked"), 0o755);
  const path = ["home", "home/.docker/bin"];
  expect(await says(world, `tool; ls -A ${world.home} ${world.home}/.docker`, path)).toBe(
    `docked\n${world.home}:\n.docker\n\n${world.home}/.docker:\nbin`,
  );
});

test.skipIf(!canConfine)("a tool home is read-only, and the login in it is empty", async () => {
  const world = createWorld();
  world.write("home/.cargo/registry/index", "known\n");
  world.write("home/.cargo/credentials.toml", "token = 'secret'\n");
  const cargo = `${world.home}/.cargo`;
  expect(await says(world, `cat ${cargo}/registry/index ${cargo}/credentials.toml`, [])).toBe("known");
  expect(await says(world, `touch ${cargo}/x`, [])).toMatch(/Read-only file system$/);
});

test.skipIf(!canConfine)(
  "the agent's program in the repository can be started, and nothing else of the repository read",
  async () => {
    const world = createWorld();
    const agent = world.write("repo/my-agent.sh", sh("echo at work"), 0o755);
    world.write("repo/node_modules/part/say.sh", "echo packaged\n");
    world.write("repo/node_modules/agent/cli.sh", sh(`. ${world.root}/repo/node_modules/part/say.sh`), 0o755);
    link(world, "repo/node_modules/.bin/agent", "../agent/cli.sh");
    world.write("repo/.git/objects/ab/cd", "object\n");
    world.write("repo/.git/config", "secret\n");
    const repo = join(world.root, "repo");
    const sandbox = await world.find({ hidden: [repo, join(repo, ".git")] });
    const visible = [agent, join(repo, "node_modules/.bin/agent"), join(repo, ".git/objects"), repo];
    const inside = world.enclose(sandbox, { visible });
    expect(runIn(inside, `${agent}; ${repo}/node_modules/.bin/agent; cat ${repo}/.git/objects/ab/cd`).out).toBe(
      "at work\npackaged\nobject\n",
    );
    expect(runIn(inside, `ls -A ${repo} ${repo}/.git`).out).toBe(
      `${repo}:\n.git\nmy-agent.sh\nnode_modules\n\n${repo}/.git:\nobjects\n`,
    );
  },
);

test.skipIf(!canConfine)(
  "what the settings mount is there: to be read, or to be written where they say so",
  async () => {
    const world = createWorld();
    world.write("home/.m2/a", "read\n");
    world.write("home/cache/a", "read\n");
    const mounts = [
      { path: join(world.home, ".m2"), writable: false },
      { path: join(world.home, "cache"), writable: true },
    ];
    const inside = world.enclose(await world.find({ mounts }));
    expect(
      runIn(inside, `cat ${world.home}/.m2/a && echo more >> ${world.home}/cache/a && cat ${world.home}/cache/a`),
    ).toEqual({
      code: 0,
      out: "read\nread\nmore\n",
    });
    expect(runIn(inside, `touch ${world.home}/.m2/x`).out).toMatch(/Read-only file system\n$/);
  },
);

test.skipIf(!canConfine)(
  "the room has its folders at fixed paths, and only what is meant to be written can be",
  async () => {
    const world = createWorld();
    world.write("room/inbox/task.md", "the task\n");
    const inside = world.enclose(await world.find());
    const { workspace, home, outbox, inbox } = inside.folders;
    expect([workspace, home, inbox]).toEqual(["/stint/workspace", "/stint/home", "/stint/inbox"]);
    expect(outbox).toMatch(/^\/stint\/outbox-[0-9a-f]{12}$/);
    expect(world.enclose(await world.find()).folders.outbox).not.toBe(outbox);
    expect(runIn(inside, `touch a ${home}/a ${outbox}/a /tmp/a && cat ${inbox}/task.md`)).toEqual({
      code: 0,
      out: "the task\n",
    });
    for (const file of [`${inbox}/a`, "/a", "/stint/a", "/etc/a", "/usr/a"])
      expect(runIn(inside, `touch ${file}`).out, file).toMatch(/Read-only file system\n$/);
  },
);

test.skipIf(!canConfine || process.getuid?.() !== 0)("a user without rights can confine as well", async () => {
  const world = createWorld(tmpdir());
  world.write("home/.ssh/id", "secret\n");
  const inside = world.enclose(await world.find({ env: { PATH: "/usr/bin:/bin" } }));
  for (const folder of ["", "room", "room/tree", "room/home"]) chmodSync(join(world.root, folder), 0o777);
  const seen = runIn(inside, `id -u; touch a /tmp/a; cat ${world.home}/.ssh/id; touch /etc/a`, { uid: 65_534 });
  expect(seen.out).toMatch(/^65534\ncat: .*No such file or directory\ntouch: .*Read-only file system\n$/);
});

test.skipIf(!canConfine)(
  "a user whose folders are in memory, in /dev/shm, has their tools too, and nothing else there",
  async () => {
    const world = createWorld("/dev/shm");
    world.write("tools/bin/tool", sh("echo from memory"), 0o755);
    world.write("other.txt", "not for rooms\n");
    expect(await says(world, `tool; ls ${world.root}`, ["tools/bin"])).toBe("from memory\ntools");
  },
);
