import { describe, expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import { programFolder } from "./installed.ts";
import { type RouteName, routes } from "./routes.ts";
import type { Move } from "./server/script.ts";
import { setStage } from "./stage.ts";

/** Reads a file, changes one, makes one, runs a command, runs one that fails, and says so. */
const moves: readonly Move[] = [
  { read: "list.txt" },
  { change: "list.txt", from: "entry 12", to: "entry twelve" },
  { edit: "a.txt", text: "ready\nset\n" },
  { shell: "seq 1 200" },
  { shell: "echo broken >&2; exit 3" },
  { say: "**Done**: the list is as it should be.\n\n- one\n- two" },
];

/** What a program does not report, so that its transcript cannot have it. */
const unreported: Readonly<Partial<Record<RouteName, readonly string[]>>> = {
  codex: ["-entry 12", "+entry twelve", "+ready", "+set"],
  gemini: ["exit 3"],
  "gemini over ACP": ["… 192 more lines", "broken", "exit 3"],
};

describe.each(Object.values(routes))("$name", { concurrent: true }, (route) => {
  test.skipIf(programFolder(route.agent) === undefined)(
    "The log of a task says in the same lines what any agent said and did.",
    async (test) => {
      const list = Array.from({ length: 30 }, (_, at) => `entry ${at + 1}\n`).join("");
      const stage = await setStage(route, {
        test,
        sandbox: "bwrap",
        moves,
        task: makes("a.txt", { files: { create: ["a.txt"], modify: ["list.txt"] } }),
        files: { "list.txt": Buffer.from(list) },
      });
      expectCode(await stage.run(), 0);

      const { stdout } = await stage.call(["log", "01-a"]).ended;

      const shown = stdout.split("\n").map((line) => line.trim());
      const wanted = [
        "Step 1.",
        route.name === "codex" ? "$ cat list.txt" : "read list.txt",
        "Step 2.",
        "edit list.txt",
        "-entry 12",
        "+entry twelve",
        "Step 3.",
        "+ready",
        "+set",
        "Step 4.",
        "$ seq 1 200",
        "… 192 more lines",
        "Step 5.",
        "$ echo broken >&2; exit 3",
        "broken",
        "exit 3",
        "**Done**: the list is as it should be.",
        "- two",
      ].filter((line) => unreported[route.name]?.includes(line) !== true);
      expect(shown.filter((line) => wanted.includes(line))).toEqual(wanted);
    },
  );
});
