import { posix } from "node:path";
import type { Language } from "../../syntax/language.ts";
import { childAt, type Syntax } from "../../syntax/syntax.ts";
import { guardsLimits } from "../limits.ts";
import { protectedKind } from "../../plan/protected.ts";

/** A place in a source that names a file of tests, by the paths it may mean. */
export interface Named {
  readonly lines: readonly number[];
  readonly paths: readonly string[];
}

/** Finds, in a source that reads files or loads modules, the names of files of tests; whether they are there is for others to say. */
export function namedTests(nodes: readonly Syntax[], path: string, language: Language): Named[] {
  if (isTool.test(path) || nodes[0]?.text.startsWith("#!") === true) return [];
  const texts = nodes.flatMap((node) => writtenPath(node, language));
  const found = texts.flatMap(({ node, words }) => {
    if (!isLoaded(node) && !reads.test(nodes[0]?.text ?? "")) return [];
    const paths = resolved(words, path).filter((one) => isOfTests(one, path));
    return paths.length === 0 ? [] : [{ lines: linesOf(node), paths }];
  });
  return found.slice(0, guardsLimits.testsNamedMax);
}

/** A folder `tests` among the sources may be what the program is about, such as tests of a laboratory. */
function isOfTests(target: string, source: string): boolean {
  if (protectedKind(target, []) !== "test") return false;
  const isNamed = /(?:[._](?:test|spec)|Tests?)\.\w+$|^test_|\.snap$/.test(posix.basename(target));
  if (isNamed || /(?:^|\/)(?:__\w+__|testdata)\//.test(target)) return true;
  const folder = source.includes("/") ? `${source.split("/")[0]}/` : " ";
  return !target.startsWith(folder);
}

/** Programs for those who build and test, and what only helps tests. */
const isTool =
  /(?:^|\/)(?:bin|scripts?|cmd|tools?|build|tasks|benchmarks?|bench|stories|testing|test[-_]?(?:utils?|support|helpers?|kit)|mocks?|fixtures)\/|\.config\.\w+$|\.stories\.\w+$|(?:^|\/)(?:setup|noxfile|build|gulpfile|gruntfile|rakefile)\.\w+$/i;

const reads =
  /\b(?:readFile(?:Sync)?|createReadStream|openSync|readJson\w*|require|import\(|open|read_text|read_bytes|ReadFile|os\.Open|readAllLines|readString|FileReader|FileInputStream|File\.(?:read|open|foreach|readlines)|IO\.read\w*|read_to_string|include_str!|include_bytes!|File::open|load_file|safe_load_file)\s*\(?/;

/** Reads a path from a string, from strings that are joined, or from an import of a module. */
function writtenPath(node: Syntax, language: Language): { readonly node: Syntax; readonly words: string }[] {
  if (language === "python" && node.type === "import_from_statement") {
    const module = childAt(node, "module_name")?.text ?? "";
    return module.startsWith(".") ? [] : [{ node, words: `${module.replaceAll(".", "/")}.py` }];
  }
  if (!/^(?:string|string_literal|interpreted_string_literal|raw_string_literal|template_string)$/.test(node.type))
    return [];
  if (node.end - node.start > pathCharsMax || isInTests(node)) return [];
  const siblings = partsAround(node);
  const words = siblings.map(unquoted).join("/");
  return words.length > pathCharsMax || !/^[\w@./~ -]+$/.test(words) ? [] : [{ node, words }];
}

const pathCharsMax = 300;

/** Finds all strings of one path: `join(here, "..", "test", "a.json")` and `here / "tests" / "a.json"`. */
function partsAround(node: Syntax): readonly Syntax[] {
  const { parent } = node;
  if (parent?.type === "binary_operator" && parent.tokens.includes("/")) return [...strings(leftOf(parent)), node];
  const callee = childAt(parent?.parent, "function")?.text ?? childAt(parent?.parent, "method")?.text ?? "";
  const isJoined =
    /^arguments$|^argument_list$/.test(parent?.type ?? "") && /\b(?:join|resolve|Join|of|get)$/.test(callee);
  return isJoined ? strings(parent?.children ?? []) : [node];
}

function leftOf(operator: Syntax): readonly Syntax[] {
  const found: Syntax[] = [];
  let at = operator.children[0];
  for (let steps = 0; at?.type === "binary_operator" && steps < partsMax; steps += 1, at = at.children[0])
    found.unshift(...at.children.slice(1));
  return found;
}

/** A path has no more folders than this. */
const partsMax = 10;

const strings = (nodes: readonly Syntax[]): readonly Syntax[] =>
  nodes.filter(({ type }) => /string/.test(type)).slice(0, partsMax);

const unquoted = ({ text }: Syntax): string => text.replace(/^[rbuf]*["'`]+|["'`]+$/gi, "");

function isLoaded({ type, parent }: Syntax): boolean {
  return type === "import_from_statement" || parent?.type === "import_statement" || parent?.type === "export_statement";
}

/** Tests of Rust are in the same file as the code, and may read their data. */
function isInTests(node: Syntax): boolean {
  let at = node.parent;
  for (let steps = 0; at !== undefined && steps < guardsLimits.treeClimbMax; steps += 1, at = at.parent)
    if (at.type === "mod_item" && /^tests?$|_tests?$/.test(childAt(at, "name")?.text ?? "")) return true;
  return false;
}

/** Resolves a path from the file itself, from the root, and as modules are named without their ending. */
function resolved(words: string, path: string): string[] {
  const places = [posix.join(posix.dirname(path), words), posix.normalize(words)].filter(
    (one) => !one.startsWith(".."),
  );
  const named = posix.extname(words) === "" ? places.flatMap((one) => endings.map((ending) => one + ending)) : places;
  return [...new Set(named)];
}

const endings = ["", ".js", ".ts", ".mjs", ".cjs", ".json", ".py", ".rb"];

const linesOf = ({ line, lastLine }: Syntax): number[] => (line === lastLine ? [line] : [line, lastLine]);
