import { expect, test } from "vitest";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judged, type Given } from "../../../rig/contents.ts";

const whys = async (given: Given) => (await judged(guardDefinitions, given)).map(({ path, why }) => `${path} ${why}`);

const base = [
  "RUNNER = node --test",
  "FLAGS ?= -q",
  ".PHONY: test lint docs",
  "test: build",
  "\t$(RUNNER) $(ARGS)",
  "build:",
  "\ttsc -b",
  "docs:",
  "\ttypedoc $(FLAGS)",
  "",
].join("\n");

const edited = (from: string | RegExp, to: string, check = "make test"): Given => {
  return { checks: [check], edits: { Makefile: [base, base.replace(from, to)] } };
};

test("A target that a check asks for may not change.", async () => {
  const found = await judged(guardDefinitions, edited("\t$(RUNNER) $(ARGS)", "\ttrue"));
  expect(found[0]).toEqual({
    guard: "definition",
    path: "Makefile",
    why: 'was changed, but its target "test" decides what `make test` runs; the check was approved as `build; $(RUNNER) $(ARGS)`. Put it back.',
    evidence: "- 5: \t$(RUNNER) $(ARGS)\n+ 5: \ttrue",
  });
});

test.each([
  ["\ttsc -b", "\ttrue", 'its target "build" decides'],
  ["RUNNER = node --test", "RUNNER = true", "its variable RUNNER decides"],
  ["FLAGS ?= -q", "FLAGS ?= -q\nARGS = --test-name-pattern=x", "its new variable ARGS decides"],
  ["FLAGS ?= -q", "FLAGS ?= -q\nSHELL = /bin/true", "its variable SHELL decides"],
  ["FLAGS ?= -q", "FLAGS ?= -q\n.IGNORE:", ".IGNORE decides"],
  ["FLAGS ?= -q", "FLAGS ?= -q\ninclude more.mk", "its line `include more.mk` decides"],
  ["FLAGS ?= -q", "FLAGS ?= -q\n-include more.mk", "its line `-include more.mk` decides"],
  [".PHONY: test lint docs", ".PHONY: lint docs", 'from which "test" is gone'],
  ["docs:\n", "test:\n\ttrue\ndocs:\n", 'its target "test" decides'],
  ["test: build", "ifdef NEVER\ntest: build", "its line `ifdef NEVER` decides"],
  ["test: build\n\t$(RUNNER) $(ARGS)\n", "", 'its target "test" decides'],
  ["test: build", "test: build rewrite", 'its target "test" decides'],
])("`%s` to `%s` is refused.", async (from, to, why) => {
  expect((await whys(edited(from, to))).join("\n")).toContain(why);
});

test.each([
  ["\ttypedoc $(FLAGS)", "\ttrue"],
  ["FLAGS ?= -q", "FLAGS ?= -v"],
  ["docs:\n", "release: test\n\tnpm publish\ndocs:\n"],
  [".PHONY: test lint docs", ".PHONY: test lint docs release"],
  ["\t$(RUNNER) $(ARGS)", "\t$(RUNNER) $(ARGS)\n\tnpx eslint ."],
  ["FLAGS ?= -q", "# how loud\nFLAGS ?= -q\nCOLOR = 1"],
])("`%s` to `%s` may change.", async (from, to) => {
  expect(await whys(edited(from, to))).toEqual([]);
});

test("Nothing in it matters where no check calls make.", async () => {
  expect(await whys(edited("\ttsc -b", "\ttrue", "node --test"))).toEqual([]);
});

test("The first target is what `make` alone makes.", async () => {
  expect((await whys(edited(".PHONY", "easy:\n\tnode a.js\n.PHONY", "make"))).join("\n")).toContain(
    'which target comes first: "test" is no longer reached',
  );
  expect(await whys(edited("docs:\n", "easy:\n\tnode a.js\ndocs:\n", "make"))).toEqual([]);
});

test("A target that a task is there to add may be added unless it is idle.", async () => {
  expect(await whys(edited("docs:\n", "verify:\n\tnode verify.js\ndocs:\n", "make verify"))).toEqual([]);
  expect(await whys(edited("docs:\n", "verify:\n\t@echo fine\ndocs:\n", "make verify"))).toEqual([
    'Makefile was changed, but its new target "verify" decides what `make verify` runs and runs nothing that can fail. Make it run what the check is for.',
  ]);
});

test("An included file may grow, but what it says stays.", async () => {
  const mk = "lint:\n\teslint .\n";
  const withMk = (after: string): Given => ({
    checks: ["make test"],
    base: { Makefile: base },
    edits: { "rules.mk": [mk, after] },
  });
  expect(await whys(withMk("lint:\n\ttrue\n"))).toHaveLength(1);
  expect(await whys(withMk(`${mk}test:\n\ttrue\n`))).toHaveLength(1);
  expect(await whys(withMk(`${mk}other:\n\ttrue\n`))).toEqual([]);
});

test("A justfile is read like a makefile.", async () => {
  const just = "test: build\n    node --test\n\nbuild:\n    tsc\n\ndocs:\n    typedoc\n";
  const given = (after: string): Given => ({ checks: ["just test"], edits: { justfile: [just, after] } });
  expect(await whys(given(just.replace("tsc", "true")))).toHaveLength(1);
  expect(await whys(given(just.replace("typedoc", "true")))).toEqual([]);
});

test("A new file or folder called like a target would keep make from running it.", async () => {
  const given = (makefile: string): Given => ({
    checks: ["make test"],
    base: { Makefile: makefile },
    edits: { "test/a.js": [null, "x"] },
  });
  expect(await whys(given("test:\n\tnode --test\n"))).toEqual([
    'test/a.js was created, but make would consider the target "test" up to date, so `make test` would run nothing. Rename the file, or have a plan add the target to .PHONY first.',
  ]);
  expect(await whys(given(".PHONY: test\ntest:\n\tnode --test\n"))).toEqual([]);
});

const rules = ".PHONY: check\n\ncheck:\n\t@sh check.sh $(FLAGS)\n";
const made = (after: string, checks: readonly string[]): Given => ({ checks, edits: { Makefile: [rules, after] } });

test("New targets may have new variables, and tidy up what may not be there.", async () => {
  const after = `OUT := dist/site.tar\n${rules}\ndist: check $(OUT)\n\n$(OUT): site\n\ttar -cf $@ site\n\nclean:\n\t-rm -rf dist\n`;
  expect(await whys(made(after, ["make dist", "make clean && test ! -e dist", "make check"]))).toEqual([]);
});

test.each([
  [`FLAGS = --help\n${rules}`, "make check"],
  [`${rules}\nverify:\n\t-pytest\n`, "make verify"],
  [`${rules}\nverify:\n\ttrue\n`, "make verify"],
])("New variables of old targets, and new targets that cannot fail, are refused: %j", async (after, check) => {
  expect(await whys(made(after, [check]))).toHaveLength(1);
});
