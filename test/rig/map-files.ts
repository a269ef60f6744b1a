import { derivedBy } from "../../src/planning/map/derived.ts";
import type { MapFile } from "../../src/planning/map/facts.ts";
import { rank } from "../../src/planning/map/rank.ts";
import { factsOf } from "../../src/planning/map/symbols.ts";

/** Reads these texts as the files of a commit. */
export async function filesOf(texts: Readonly<Record<string, string>>, attributes = ""): Promise<MapFile[]> {
  const isDerived = derivedBy(attributes);
  return await Promise.all(
    Object.entries(texts).map(async ([path, text]) => {
      const facts = await factsOf(path, text);
      return { path, size: text.length, facts, isDerived: facts.isMade || isDerived(path) };
    }),
  );
}

/** Lists the paths of these files, the best first. */
export async function order(texts: Readonly<Record<string, string>>, goal = "", attributes = ""): Promise<string[]> {
  return rank(await filesOf(texts, attributes), goal).map(({ file }) => file.path);
}

/** Four files, of which three use the fourth. */
export const shop = {
  "src/a-page.ts": 'import { money } from "./money.ts";\nexport const page = () => money(1);\n',
  "src/b-cart.ts": 'import { money } from "./money.ts";\nexport const cart = () => money(2);\n',
  "src/c-login.ts": 'import { money } from "./money.ts";\nexport function signIn() { return money(3); }\n',
  "src/money.ts": "export function unused() {}\nexport function money(x: number) { return x; }\n",
};
