import { expect, test } from "vitest";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judged, type Edit, type Given } from "../../../rig/contents.ts";

const whys = async (given: Given) => (await judged(guardDefinitions, given)).map(({ path, why }) => `${path} ${why}`);

const check = "#!/bin/sh\nset -eu\nsort -u words.txt | cmp - words.txt\n";
const ended = check.replace("sort", "exit 0\nsort");
const putBack = (path: string, by: string, did = "changed") =>
  `${path} was ${did}, but \`${by}\` runs it, and the check was approved with the old version. Put it back; only a task that names it without a glob may change it.`;

test("A script that a check runs stays as it was; the lines that differ are the evidence.", async () => {
  const edits = { "scripts/check.sh": [check, ended] } as const;
  expect(await judged(guardDefinitions, { checks: ["sh scripts/check.sh"], modify: ["scripts/**"], edits })).toEqual([
    {
      guard: "definition",
      path: "scripts/check.sh",
      why: "was changed, but `sh scripts/check.sh` runs it, and the check was approved with the old version. Put it back; only a task that names it without a glob may change it.",
      evidence: "+ 3: exit 0",
    },
  ]);
});

test.each([
  ["./scripts/check.sh", "scripts/check.sh"],
  ["bash -eu -o pipefail scripts/check.sh words.txt", "scripts/check.sh"],
  [". scripts/check.sh", "scripts/check.sh"],
  ["cd scripts && sh gate.sh && echo ok", "scripts/gate.sh"],
  ["timeout 60 ./tools/run", "tools/run"],
  ["node scripts/verify-words.mjs", "scripts/verify-words.mjs"],
  ["node --import ./setup.mjs scripts/words.mjs --all", "scripts/words.mjs"],
  ["python3 tools/words.py", "tools/words.py"],
  ["uv run tools/words.py", "tools/words.py"],
  ["python3 src/check_words.py && make", "src/check_words.py"],
])("`%s` runs %s.", async (by, path) => {
  const edits = { [path]: ["exit 1\n", "exit 0\n"] as Edit };
  expect(await whys({ checks: [by], modify: ["**"], edits })).toEqual([putBack(path, by)]);
});

test("Scripts are found through package.json, makefiles and other scripts, and so is what scripts run.", async () => {
  const base = { "package.json": '{"scripts":{"test":"make check"}}', Makefile: "check:\n\tsh scripts/all.sh\n" };
  const all = "#!/bin/sh\n# don't stop\nfor x in a b; do\n  ./scripts/check.sh $x\ndone\nmake lint\n";
  const edits = { "scripts/check.sh": [check, ended] } as const;
  expect(await whys({ checks: ["npm test"], edits, base: { ...base, "scripts/all.sh": all } })).toEqual([
    putBack("scripts/check.sh", "npm test"),
  ]);
  const lint = { Makefile: ["lint:\n\truff .\n", "lint:\n\ttrue\n"] } as const;
  expect(await whys({ checks: ["sh scripts/all.sh"], edits: lint, base: { "scripts/all.sh": all } })).toHaveLength(1);
});

test("Neither deleting it nor what set-up runs is free.", async () => {
  const edits = { "scripts/check.sh": [check, null] } as const;
  expect(await whys({ checks: ["sh scripts/check.sh"], edits })).toEqual([
    putBack("scripts/check.sh", "sh scripts/check.sh", "deleted"),
  ]);
  expect(await whys({ setup: "sh scripts/setup.sh", edits: { "scripts/setup.sh": [check, "true\n"] } })).toEqual([
    putBack("scripts/setup.sh", "sh scripts/setup.sh"),
  ]);
});

test("What the task may not touch at all is left to the guard of scope.", async () => {
  const edits = { "scripts/check.sh": [check, ended] } as const;
  expect(await whys({ checks: ["sh scripts/check.sh"], modify: ["src/**"], edits })).toEqual([]);
});

test("A script that the task names is its work, and so is one that was not there.", async () => {
  const stricter = check.replace("sort", "test -s words.txt\nsort");
  for (const modify of [["scripts/check.sh"], ["scripts/{check,list}.sh"]]) {
    const edits = { "scripts/check.sh": [check, stricter] } as const;
    expect(await whys({ checks: ["sh scripts/check.sh"], modify, edits })).toEqual([]);
  }
  expect(await whys({ checks: ["sh scripts/new.sh"], edits: { "scripts/new.sh": [null, check] } })).toEqual([]);
});

test("Also the script that a task is there to write may not end before its work.", async () => {
  const ends = (did: string) =>
    `scripts/check.sh was ${did}, but it exits with success before it does what \`sh scripts/check.sh\` runs it for. Remove that line.`;
  const given = { checks: ["sh scripts/check.sh"], modify: ["scripts/check.sh"] };
  expect(await whys({ ...given, edits: { "scripts/check.sh": [check, ended] } })).toEqual([ends("changed")]);
  expect(await whys({ ...given, edits: { "scripts/check.sh": [null, ended] } })).toEqual([ends("created")]);
  for (const honest of [
    `${check}exit 0\n`,
    `if test -f skip; then\n  exit 0\nfi\n${check}`,
    `if test -f skip; then exit 0; fi\n${check}`,
    `usage() {\n  echo use\n  exit 0\n}\n${check}`,
    `case $1 in\n  -h)\n    exit 0\n    ;;\nesac\n${check}`,
    `cat <<END\nexit 0\nEND\n${check}`,
    `for a in x; do\n  (\n    exit 0\n  )\ndone\n${check}`,
  ])
    expect(await whys({ ...given, edits: { "scripts/check.sh": [null, honest] } }), honest).toEqual([]);
});

test.each([
  ["node src/cli.js --help", "src/cli.js"],
  ["./bin/words < words.txt | cmp - expected.txt", "bin/words"],
  ["sh src/install.sh", "src/install.sh"],
  ["node scripts/build.mjs && node --test", "scripts/build.mjs"],
  ["node scripts/report.mjs | grep -q total", "scripts/report.mjs"],
  ["python3 main.py", "main.py"],
  ["sh scripts/check.sh lists/words.sh", "lists/words.sh"],
  ["node -e 'x' scripts/check.mjs", "scripts/check.mjs"],
  ["node --test scripts/words.test.mjs", "scripts/words.test.mjs"],
])("`%s` tries out %s, which a glob may cover.", async (by, path) => {
  const edits = { [path]: ["old()\n", "now()\n"] as Edit };
  expect(await whys({ checks: [by], modify: ["**"], edits, base: { "scripts/check.sh": check } })).toEqual([]);
});
