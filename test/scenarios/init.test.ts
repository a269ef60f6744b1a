import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { createRig } from "../rig/rig.ts";

const projects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  node: {
    "package.json": JSON.stringify({
      scripts: { lint: "eslint .", "format:check": "prettier --check .", test: "mocha", build: "tsc" },
      devDependencies: { mocha: "11" },
    }),
    "package-lock.json": "{}",
    ".husky/pre-commit": "npx lint-staged\n",
  },
  python: {
    "pyproject.toml": '[project]\ndependencies = ["six"]\n[tool.ruff]\nline-length = 100\n',
    "app/tests.py": "",
    ".pre-commit-config.yaml": "repos: []\n",
  },
  go: { "go.mod": "module x\n\nrequire a.example/b v1.0.0\n", "go.sum": "" },
  rust: { "Cargo.toml": '[package]\nname = "x"\n[dependencies]\nitoa = "1"\n', "Cargo.lock": "" },
  unknown: { Makefile: "test:\n\ttrue\n" },
  several: { "web/package.json": '{"scripts":{"test":"node --test"}}', "api/requirements.txt": "pytest==8\n" },
};

/** Model plan of one task, from the worked example. */
const example = "docs/examples/node/plans/reminders";
const plan = {
  "plans/fee/plan.md":
    "---\nstint: 1\ntitle: Fees for overdue books\ngoal: Know what a late book costs\n---\n\n## Overview\n\nOne module.\n\n## Tasks\n\n- [ ] [02-fee](tasks/02-fee.md) Compute the fee for overdue days\n",
  "plans/fee/scope.md": readFileSync(join(example, "scope.md"), "utf8"),
  "plans/fee/tasks/02-fee.md": readFileSync(join(example, "tasks/02-fee.md"), "utf8"),
};

test.each(Object.keys(projects))(
  "What init writes for a project is accepted by lint without an error or a warning: %s.",
  async (kind) => {
    await using rig = await createRig({ files: { ...projects[kind], ...plan } });
    rmSync(join(rig.repo, ".stint"), { recursive: true });

    expectCode(await rig.stint(["init"]), 0);

    const stdout = "plans/fee: no problems found\n1 task in 1 wave; critical path 02-fee, 15m in all\n";
    expect(await rig.stint(["lint"])).toEqual({ code: 0, stdout, stderr: "" });
    expectCode(await rig.stint(["approve", "--yes"]), 0);
  },
);
