import { expect, test } from "vitest";
import { planLimits } from "../../../src/plan/limits.ts";
import { promptsLimits } from "../../../src/prompts/limits.ts";
import { selectInputs, type ListedFile } from "../../../src/prompts/inputs.ts";

const file = (path: string, size = 1, mode = "100644"): ListedFile => ({ path, size, mode });

test("a source document is a file, a folder with or without its slash, or a glob", () => {
  const files = ["docs/a.md", "docs/b/c.md", "docsx.md", "designs/x.png", "designs/y.svg", "src/a.ts"].map((path) =>
    file(path),
  );
  expect(selectInputs(files, ["docs/", "designs/*.png"]).taken).toEqual(["docs/a.md", "docs/b/c.md", "designs/x.png"]);
  expect(selectInputs(files, ["docs", "src/a.ts"]).taken).toEqual(["docs/a.md", "docs/b/c.md", "src/a.ts"]);
  expect(selectInputs(files, [])).toEqual({ taken: [], leftOut: [] });
});

test("links and submodules are no documents", () => {
  const files = [file("docs/link", 1, "120000"), file("docs/module", 1, "160000"), file("docs/script", 1, "100755")];
  expect(selectInputs(files, ["docs"])).toEqual({ taken: ["docs/script"], leftOut: [] });
});

test("names that would lead out of the inbox, or that nobody can read, stay behind", () => {
  const files = ["docs/../../x", "docs/a\nb", "docs/\uFFFD", "docs/.git/config", "docs/ok"].map((path) => file(path));
  expect(selectInputs(files, ["docs"])).toEqual({
    taken: ["docs/ok"],
    leftOut: files.slice(0, 4).map(({ path }) => path),
  });
});

test("one large document, many of them and too many bytes are left out", () => {
  const large = [file("d/large", planLimits.inputFileBytesMax + 1), file("d/just", planLimits.inputFileBytesMax)];
  expect(selectInputs(large, ["d"])).toEqual({ taken: ["d/just"], leftOut: ["d/large"] });
  const many = Array.from({ length: promptsLimits.inputFilesMax + 2 }, (_, index) => file(`d/${index}`));
  expect(selectInputs(many, ["d"]).leftOut).toEqual([
    `d/${promptsLimits.inputFilesMax}`,
    `d/${promptsLimits.inputFilesMax + 1}`,
  ]);
  const count = promptsLimits.inputBytesMax / planLimits.inputFileBytesMax;
  const heavy = Array.from({ length: count + 1 }, (_, index) => file(`d/${index}`, planLimits.inputFileBytesMax));
  expect(selectInputs(heavy, ["d"]).leftOut).toEqual([`d/${count}`]);
});
