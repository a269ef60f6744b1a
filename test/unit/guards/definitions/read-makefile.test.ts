import { expect, test } from "vitest";
import { reachedFrom, readMakefile } from "../../../../src/guards/definitions/read-makefile.ts";

const file = readMakefile(`# how tests are run
export RUNNER ?= node --test
FLAGS += -q
FLAGS += -v
.PHONY: all test
all: test | dist ; @echo done
test: build \\
  lint
\t$(RUNNER) \${FLAGS} # all of them
build lint::
\ttsc
%.html: %.md
\tmarked $<
include more.mk
ifdef CI
docs: index.html
endif
`);

test("Targets, variables and directives are read as they are written.", () => {
  expect(file.rules.get("test")).toEqual({
    text: "build    lint\n$(RUNNER) ${FLAGS} # all of them",
    needs: ["build", "lint"],
    recipe: ["$(RUNNER) ${FLAGS} # all of them"],
  });
  expect(file.rules.get("all")).toMatchObject({ needs: ["test", "dist"], recipe: ["@echo done"] });
  expect(file.rules.get("lint")).toEqual(file.rules.get("build"));
  expect(Object.fromEntries(file.variables)).toEqual({ RUNNER: "node --test", FLAGS: "-q\n-v" });
  expect(file.directives).toEqual(["include more.mk", "ifdef CI"]);
});

test("`make` alone makes the first target that is neither special nor a pattern.", () => {
  expect(file.first).toBe("all");
  expect(readMakefile("%.o: %.c\n\tcc $<\n.PHONY: x\n").first).toBeUndefined();
});

test("A target reaches what it needs, the variables it names, and the patterns that make it.", () => {
  const { targets, variables } = reachedFrom(file, ["test"]);
  expect([...targets].filter((target) => file.rules.has(target)).toSorted()).toEqual(["build", "lint", "test"]);
  expect([...variables].toSorted()).toEqual(["FLAGS", "RUNNER"]);
  expect([...reachedFrom(file, ["docs"]).targets]).toEqual(["docs", "index.html", "%.html", "%.md"]);
  expect(reachedFrom(file, []).targets.has("all")).toBe(true);
});

test("A variable may stand for the names of targets.", () => {
  const goals = readMakefile("GOALS = a b\nall: $(GOALS)\na:\n\ttsc\nb:\n\teslint .\nc:\n\trm x\n");
  expect([...reachedFrom(goals, ["all"]).targets].toSorted()).toEqual(["a", "all", "b"]);
});

test("Targets that need each other, and variables that name each other, end.", () => {
  const loop = readMakefile("A = $(B)\nB = $(A) c\na: b\n\t$(A)\nb: a\n");
  const { targets, variables } = reachedFrom(loop, ["a"]);
  expect([...targets]).toEqual(expect.arrayContaining(["a", "b", "c"]));
  expect([...variables].toSorted()).toEqual(["A", "B"]);
});
