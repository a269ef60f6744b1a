import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  approvalOf,
  readApproval,
  writeApproval,
  writeRevisionApproval,
  type Approval,
} from "../../../src/approval/approvals.ts";
import { pathsOf } from "../../../src/project/paths.ts";
import { tempDir } from "../../rig/git.ts";

function emptyState() {
  const root = tempDir();
  const paths = pathsOf(root, { HOME: root });
  mkdirSync(paths.approvals, { recursive: true });
  return paths;
}

const approval: Approval = {
  plan: "work",
  hash: "0".repeat(64),
  at: "2026-11-17T10:00:00.000Z",
  by: "ann",
  commit: "c1",
  programs: {},
};

const hash = "a".repeat(64);
const revision = {
  ...{ run: "r", plan: "work", at: approval.at, by: "ann" },
  ...{ commit: "c2", planHash: hash, revises: approval.hash, tasks: [], changes: [] },
};

test("a plan has no approval until one is written, and then the newest", () => {
  const paths = emptyState();
  expect(readApproval(paths, "work")).toBeUndefined();
  writeApproval(paths, { ...approval, by: "bob" });
  writeApproval(paths, approval);
  expect(readApproval(paths, "work")).toEqual(approval);
  expect(readApproval(paths, "other")).toBeUndefined();
});

test("a damaged approval is never taken for none: the error names the file", () => {
  const paths = emptyState();
  writeFileSync(join(paths.approvals, "work.json"), '{"plan": "wo');
  expect(() => readApproval(paths, "work")).toThrow(/approvals\/work\.json is damaged\. Remove it/);
});

test("the approval of a revision is found by run, hash and commit together", () => {
  const paths = emptyState();
  writeRevisionApproval(paths, revision);
  expect(approvalOf(paths, "r", { commit: "c2", planHash: hash })).toEqual(revision);
  expect(approvalOf(paths, "r", { commit: "c3", planHash: hash })).toBeNull();
  expect(approvalOf(paths, "r", { commit: "c2", planHash: "b".repeat(64) })).toBeNull();
  expect(approvalOf(paths, "s", { commit: "c2", planHash: hash })).toBeNull();
});

test("a file that was copied from another run, or damaged, approves nothing", () => {
  const paths = emptyState();
  writeRevisionApproval(paths, revision);
  const folder = join(paths.approvals, "revisions");
  mkdirSync(join(folder, "s"));
  writeFileSync(join(folder, "s", `${hash}.json`), readFileSync(join(folder, "r", `${hash}.json`)));
  expect(approvalOf(paths, "s", { commit: "c2", planHash: hash })).toBeNull();
  writeFileSync(join(folder, "r", `${hash}.json`), "no JSON");
  expect(approvalOf(paths, "r", { commit: "c2", planHash: hash })).toBeNull();
});

test("a hash that is a path leads to no file", () => {
  const paths = emptyState();
  writeApproval(paths, approval);
  const planHash = "../../work";
  expect(approvalOf(paths, "r", { commit: "c1", planHash })).toBeNull();
  expect(() => writeRevisionApproval(paths, { ...revision, planHash })).toThrow(/expected a hash/);
});
