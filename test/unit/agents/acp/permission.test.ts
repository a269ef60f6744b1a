import { expect, test } from "vitest";
import { permissionAnswer } from "../../../../src/agents/acp/permission.ts";

test("what is allowed depends on the kind of call, the paths it names and the sandbox", () => {
  const allowed = (call: object, more: object = {}): boolean => {
    const folders = { workspace: "/w", outbox: "/o", inbox: "/i", home: "/h", tmp: "/tmp" };
    const options = [{ kind: "allow_once", optionId: "once" }];
    return permissionAnswer({ toolCall: call, options }, { folders, confined: false, mcp: {}, ...more }).allowed;
  };
  const at = (kind: string, ...paths: unknown[]) => ({ kind, locations: paths.map((each) => ({ path: each })) });
  const confined = { confined: true };
  const mcp = { server: { command: "node", args: [], env: {} } };
  for (const kind of ["edit", "delete", "move"]) {
    expect(allowed(at(kind, "/w/a", "/o/report.json"))).toBe(true);
    expect(allowed(at(kind, "src/a"))).toBe(true);
    for (const outside of ["/w/../etc/a", "/wx/a", "../a", "/i/a", "/", 7])
      expect(allowed(at(kind, "/w/a", outside))).toBe(false);
    expect(allowed(at(kind))).toBe(false);
    expect(allowed(at(kind, "/elsewhere"), confined)).toBe(true);
  }
  expect(allowed({ kind: "edit", content: [{ type: "diff", path: "/etc/a" }] })).toBe(false);
  expect(allowed(at("read", "/i/plan.md"))).toBe(true);
  expect(allowed(at("read", "/root/.ssh/id"))).toBe(false);
  expect(allowed({ kind: "execute" })).toBe(true);
  expect(allowed({ kind: "fetch" })).toBe(false);
  expect(allowed({ kind: "fetch" }, confined)).toBe(true);
  for (const call of [{}, { kind: "other" }]) {
    expect(allowed(call, confined)).toBe(false);
    expect(allowed(call, { ...confined, mcp })).toBe(true);
  }
  for (const kind of ["switch_mode", "of another version", 7])
    expect(allowed({ kind }, { confined: true, mcp })).toBe(false);
});

test("a permission is never given for ever, and nothing offered means cancelled", () => {
  const folders = { workspace: "/w", outbox: "", inbox: "", home: "/h", tmp: "/tmp" };
  const answerTo = (...kinds: string[]) => {
    const options = kinds.map((kind) => ({ kind, optionId: kind }));
    return permissionAnswer({ toolCall: { kind: "execute" }, options }, { folders, confined: true, mcp: {} }).answer;
  };
  expect(answerTo("allow_always", "reject_once")).toEqual({
    outcome: { outcome: "selected", optionId: "reject_once" },
  });
  expect(answerTo("allow_always", "allow_once")).toEqual({ outcome: { outcome: "selected", optionId: "allow_once" } });
  expect(answerTo("allow_always")).toEqual({ outcome: { outcome: "cancelled" } });
});
