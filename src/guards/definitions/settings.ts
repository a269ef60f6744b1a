import { posix } from "node:path";
import { languageOf } from "../../syntax/language.ts";
import { withTree, type Node } from "../../syntax/parse.ts";
import { guardsLimits } from "../limits.ts";
import { planLimits } from "../../plan/limits.ts";
import { parseYaml } from "../../plan/yaml.ts";
import { jsonOf } from "../../syntax/json.ts";
import { readIni, readToml, type Fault, type Settings } from "../../syntax/settings.ts";

/** Reads a settings file by its name; undefined where no reader fits it, or where a program works its settings out. */
export async function settingsOf(path: string, text: string | null): Promise<Settings | Fault | undefined> {
  if (text === null) return new Map();
  const name = posix.basename(path).toLowerCase();
  if (name.endsWith(".toml") || /(?:^|\/)\.cargo\/config$/.test(path)) return readToml(text);
  if (/\.(?:ini|cfg)$|^\.coveragerc$/.test(name)) return readIni(text);
  if (/\.ya?ml$/.test(name)) return yamlSettings(path, text);
  const language = languageOf(path);
  if (language === "javascript" || language === "typescript")
    return await withTree(text, language, (root) => scriptSettings(root));
  if (/\.jsonc?$/.test(name) || /^\.\w+rc$/.test(name)) {
    const json = jsonOf(text);
    return json === undefined ? yamlSettings(path, text) : flattened(json);
  }
  return undefined;
}

function yamlSettings(path: string, text: string): Settings | Fault {
  const parsed = parseYaml(path, text, 1);
  if (!("problems" in parsed)) return flattened(parsed.data);
  const [first] = parsed.problems;
  return { fault: `line ${first?.line ?? 1}: ${first?.message ?? "not readable"}` };
}

/** Values as JSON has them, by path; an object in a list is one text. */
export function flattened(value: unknown): Map<string, string | readonly string[]> {
  const found = new Map<string, string | readonly string[]>();
  const queue: { readonly at: readonly string[]; readonly value: unknown }[] = [{ at: [], value }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { at } = next;
    if (Array.isArray(next.value))
      found.set(
        at.join("."),
        next.value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))),
      );
    else if (typeof next.value === "object" && next.value !== null && at.length < planLimits.yamlDepthMax)
      for (const [key, inner] of Object.entries(next.value)) queue.push({ at: [...at, key], value: inner });
    else found.set(at.join("."), String(next.value));
  }
  return found;
}

/** The objects that a script exports or hands on, as far as they are written out; other values are their text. */
function scriptSettings(root: Node): Settings | undefined {
  const outer = root
    .descendantsOfType("object")
    .filter((node) => node !== null)
    .filter(isOutermost);
  if (outer.length === 0) return undefined;
  const found = new Map<string, string | readonly string[]>();
  for (const object of outer) readObject(object, found);
  return found;
}

function isOutermost(node: Node): boolean {
  for (let at = node.parent, depth = 0; at !== null && depth < guardsLimits.treeClimbMax; at = at.parent, depth += 1)
    if (at.type === "object") return false;
  return true;
}

function readObject(object: Node, found: Map<string, string | readonly string[]>): void {
  const queue: { readonly at: readonly string[]; readonly node: Node }[] = [{ at: [], node: object }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const child of next.node.namedChildren.filter((node) => node !== null)) {
      const [key, value] = [child.childForFieldName("key"), child.childForFieldName("value")];
      if (key === null || value === null) {
        if (child.type !== "comment") found.set(free(found, [...next.at, child.text].join(".")), child.text);
        continue;
      }
      const at = [...next.at, plain(key)];
      if (value.type === "object" && at.length < planLimits.yamlDepthMax) queue.push({ at, node: value });
      else found.set(free(found, at.join(".")), value.type === "array" ? itemsOf(value) : plain(value));
    }
  }
}

/** Several objects of a script may have the same key; a mark tells the second from the first. */
function free(found: ReadonlyMap<string, unknown>, key: string): string {
  let name = key;
  while (found.has(name)) name += "#";
  return name;
}

function itemsOf(array: Node): string[] {
  return array.namedChildren.flatMap((node) => (node === null || node.type === "comment" ? [] : [plain(node)]));
}

function plain(node: Node): string {
  return node.text.replace(/^(["'`])([\s\S]*)\1$/, "$2");
}
