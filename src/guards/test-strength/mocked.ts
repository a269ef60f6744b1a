import { posix } from "node:path";
import { evidenceLines } from "../evidence-lines.ts";
import type { Loss } from "./compare.ts";
import type { Mock } from "./model.ts";
import type { FileSide } from "./places.ts";

/** Finds test files that put a mock in place of all they test; `own` are the sources that the work changed. */
export function mockedSubjects(
  before: readonly FileSide[],
  after: readonly FileSide[],
  own: readonly string[],
): Loss[] {
  return after.flatMap((side) => {
    const old = before.find(({ path }) => path === side.path)?.file.mocks.map(({ target }) => target) ?? [];
    const mocks = side.file.mocks.filter(({ target }) => own.some((path) => isModule(target, path, side.path)));
    const added = mocks.filter(({ target }) => !old.includes(target));
    if (added.length === 0 || side.file.imports.some((source) => isReal(source, side))) return [];
    return [loss(side, added)];
  });
}

/** Whether a source is a module of the project that the file loads as it is; helpers of tests are none. */
function isReal(source: string, { path, file }: FileSide): boolean {
  const isLocal = /^(?:\.{1,2}\/|[@~]\/|\/|src\/)/.test(source);
  if (!isLocal || /(?:^|\/)(?:__)?(?:tests?|mocks|fixtures|helpers)(?:__)?(?:\/|$)/.test(source)) return false;
  return !file.mocks.some(
    ({ target }) => target === source || stem(resolved(target, path)) === stem(resolved(source, path)),
  );
}

function isModule(target: string, path: string, from: string): boolean {
  const wanted = stem(resolved(target, from));
  const module = stem(path);
  if (/^\.{1,2}\//.test(target)) return wanted === module || `${wanted}/index` === module;
  return endsWithName(module, wanted.replace(/^[@~]?\//, "")) || isDotted(target, module);
}

/** Whether a name leads into a module: `shop.cart.total` is in `src/shop/cart.py`. */
function isDotted(target: string, module: string): boolean {
  if (target.includes("/") || !target.includes(".")) return false;
  const parts = target.split(".");
  return (
    parts.some((_, length) => length > 0 && endsWithName(module, parts.slice(0, length).join("/"))) ||
    endsWithName(module, parts.join("/"))
  );
}

const endsWithName = (module: string, name: string): boolean => module === name || module.endsWith(`/${name}`);

const resolved = (target: string, from: string): string =>
  target.startsWith(".") ? posix.join(posix.dirname(from), target) : target;

const stem = (path: string): string => path.replace(/\.(?:[cm]?[jt]sx?|py|rb|go|rs|java)$/, "");

function loss({ path, lines }: FileSide, mocks: readonly Mock[]): Loss {
  const targets = mocks.map(({ target }) => target).join(", ");
  const shown = mocks.map(({ line }) => ({ sign: "+" as const, line, text: lines[line - 1] ?? "" }));
  return { path, why: `it mocks everything it tests: ${targets}`, evidence: evidenceLines(shown) };
}
