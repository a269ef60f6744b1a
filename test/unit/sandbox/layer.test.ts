import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whyNotJoined } from "../../../src/sandbox/layer.ts";
import { canLayer, inside } from "../../rig/layers.ts";
import { tempDir, write } from "../../rig/git.ts";

function folders(): { readonly lower: readonly [string]; readonly upper: string; readonly work: string } {
  const dir = tempDir();
  const [lower, upper, work] = ["lower folder", "upper", "work"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [lower, upper, work]) mkdirSync(folder);
  write(lower, { "a.txt": "a\n", "b.txt": "b\n" });
  return { lower: [lower], upper, work };
}

test.skipIf(!canLayer)(
  "a command sees the folders as one; what it changes is in the upper one, and nobody else sees the whole",
  () => {
    const layer = folders();
    expect(inside(layer, "cat a.txt b.txt; echo new > a.txt; rm b.txt; ls; id -u")).toBe("a\nb\na.txt\n0\n");
    expect(readFileSync(join(layer.upper, "a.txt"), "utf8")).toBe("new\n");
    expect(readFileSync(join(layer.lower[0], "a.txt"), "utf8")).toBe("a\n");
    expect(existsSync(join(layer.lower[0], "b.txt"))).toBe(true);
    expect(inside(layer, "cat a.txt; ls")).toBe("new\na.txt\n");
  },
);

test.skipIf(!canLayer)("without a folder to work in, nothing can be changed", () => {
  const { work: _unused, ...layer } = folders();
  expect(inside(layer, "cat a.txt; echo x > a.txt || echo refused")).toBe("a\nrefused\n");
});

test("a folder whose name means something in the options of a mount is not joined", () => {
  expect(whyNotJoined("/home/ann/state with spaces")).toBeUndefined();
  for (const name of ["a,b", "a:b", 'a"b', "a\\b"]) expect(whyNotJoined(`/home/${name}`)).toContain("in its name");
  expect(whyNotJoined(`/${"x".repeat(600)}`)).toContain("very long path");
});
