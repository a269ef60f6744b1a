import * as fc from "fast-check";
import { expect, test } from "vitest";
import { visible } from "../../../../src/base/visible.ts";
import { parseYaml } from "../../../../src/plan/yaml.ts";
import { yamlList, yamlText } from "../../../../src/upkeep/init/scalar.ts";
import { commands } from "../../../rig/command-texts.ts";

test("Any text is written as one line of YAML that means exactly that text, in a block, a list and between braces.", () => {
  fc.assert(
    fc.property(commands, commands, (one, other) => {
      const text = `checks:\n  - ${yamlText(one)} # why\n  - { run: ${yamlText(other)}, cwd: x }\nlist: ${yamlList([one, other])}\nlast: 1\n`;
      const source = parseYaml("f", text, 1);
      expect("data" in source ? source.data : source).toEqual({
        checks: [one, { run: other, cwd: "x" }],
        list: [one, other],
        last: 1,
      });
      expect(visible(text, { multiline: true })).toBe(text);
    }),
    { numRuns: 200 },
  );
});
