import { expect, test } from "vitest";
import { git, gitOk } from "../../../src/git/run.ts";
import { rig } from "../../rig/git.ts";

test("a call can be aborted, and a failing one says the command and git's words", async () => {
  const { control } = await rig();
  const abort = new AbortController();
  const call = git(["cat-file", "--batch"], {
    gitDir: control.dir,
    stdin: new (await import("node:stream")).PassThrough(),
    signal: abort.signal,
  });
  abort.abort();
  await expect(call).rejects.toThrow("abort");
  await expect(gitOk(["no-such"], { gitDir: control.dir })).rejects.toThrow(
    "git no-such failed with exit code 1: git: 'no-such' is not a git command",
  );
});
