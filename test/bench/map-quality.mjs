import { spawnSync } from "node:child_process";
import { posix } from "node:path";
import { sh } from "./measure.mjs";

/** Commits that change so many files of src are a piece of work, neither a word nor a sweep. */
const filesChanged = { least: 2, most: 12 };

/** Where the history ended when the ten were chosen, so that they stay the same. */
const end = "35ffae551648aae47445832521326471b46fc908";

/** The held-out ones: ten, evenly spread over the history, and fixed by this rule; undefined where the history is not here. */
export function heldOut(repo) {
  if (spawnSync("git", ["-C", repo, "cat-file", "-e", end]).status !== 0) return undefined;
  const all = candidates(repo);
  return Array.from({ length: 10 }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / 10)]);
}

/** From the oldest on, with what each changes of the files that its parent has. */
function candidates(repo) {
  const log = sh("git", [
    "-C",
    repo,
    "log",
    "--reverse",
    "--no-merges",
    "--format=%x00%H%x09%s",
    "--name-status",
    "--no-renames",
    end,
  ]);
  return log
    .split("\0")
    .slice(1)
    .flatMap((entry) => {
      const [top, ...rows] = entry.trim().split("\n");
      const [commit, goal] = top.split("\t");
      const changed = rows.flatMap((row) => {
        const [status, path] = row.split("\t");
        return path !== undefined && status !== "A" && path.startsWith("src/") && path.endsWith(".ts") ? [path] : [];
      });
      const fits = changed.length >= filesChanged.least && changed.length <= filesChanged.most;
      return fits ? [{ commit, goal, changed }] : [];
    });
}

/** What somebody who does the work of a commit has to know: definitions and files that it touches, or that those files import. */
export function truthOf(repo, { commit, changed }) {
  const symbols = new Set();
  const files = new Set(changed);
  const diff = sh("git", [
    "-C",
    repo,
    "diff",
    "--no-ext-diff",
    "-U0",
    "--no-renames",
    `${commit}^`,
    commit,
    "--",
    ...changed,
  ]);
  const hunks = hunksOf(diff);
  for (const path of changed) {
    const before = sh("git", ["-C", repo, "show", `${commit}^:${path}`]);
    for (const name of touchedNames(before, hunks.get(path) ?? [])) symbols.add(`${path} ${name}`);
    const after = spawnSync("git", ["-C", repo, "show", `${commit}:${path}`], { encoding: "utf8" }).stdout;
    for (const { from, names } of importsOf(after, path)) {
      files.add(from);
      for (const name of names) symbols.add(`${from} ${name}`);
    }
  }
  const there = new Set(sh("git", ["-C", repo, "ls-tree", "-r", "--name-only", `${commit}^`]).split("\n"));
  return {
    files: [...files].filter((path) => there.has(path)),
    symbols: [...symbols].filter((symbol) => isDefined(repo, commit, symbol, there)),
  };
}

/** By path: the lines of the old side. */
function hunksOf(diff) {
  const hunks = new Map();
  let path = "";
  for (const line of diff.split("\n")) {
    if (line.startsWith("--- a/")) path = line.slice(6);
    const [, at, count = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    if (at !== undefined)
      hunks.set(path, [...(hunks.get(path) ?? []), [Number(at), Number(at) + Math.max(1, Number(count)) - 1]]);
  }
  return hunks;
}

const definition =
  /^(?:export )?(?:abstract |async |declare )*(?:function\*?|class|interface|type|const|let|enum) ([\w$]+)/;

/** Names of definitions at the left margin whose lines a hunk touches; told by the text alone, so that no parser of ours is its own judge. */
function touchedNames(text, hunks) {
  const starts = text.split("\n").flatMap((line, at) => {
    const name = definition.exec(line)?.[1];
    return name === undefined ? [] : [{ name, line: at + 1 }];
  });
  return starts
    .filter(({ line }, at) => {
      const end = starts[at + 1]?.line ?? Infinity;
      return hunks.some(([first, last]) => first < end && last >= line);
    })
    .map(({ name }) => name);
}

function importsOf(text, path) {
  return [...text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm)].map(([, names, from]) => ({
    from: posix.join(posix.dirname(path), from),
    names: names
      .split(",")
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, "")
            .split(" ")[0],
      )
      .filter(Boolean),
  }));
}

const texts = new Map();

function isDefined(repo, commit, symbol, there) {
  const [path, name] = symbol.split(" ");
  if (!there.has(path)) return false;
  const key = `${commit}^:${path}`;
  if (!texts.has(key)) texts.set(key, sh("git", ["-C", repo, "show", key]));
  return texts
    .get(key)
    .split("\n")
    .some((line) => definition.exec(line)?.[1] === name);
}

/** What a reader finds in a map: files, and names on lines under a file. */
export function readMap(text) {
  const files = new Set();
  const symbols = new Set();
  let path = "";
  const note = (words) => {
    for (const [word] of words.matchAll(/[\w$]+/g)) symbols.add(`${path} ${word}`);
  };
  for (const line of text.split("\n")) {
    const [, folder, rest] = /^(\S+)\/: (.*)$/.exec(line) ?? [];
    if (line.startsWith(" ")) note(line);
    else if (folder === undefined) files.add((path = line));
    else
      for (const [, name, defined = ""] of rest.matchAll(/([^\s()]+)(?:\(([^)]*)\))?/g)) {
        files.add((path = posix.join(folder, name)));
        note(defined);
      }
  }
  return { files, symbols };
}

/** The paths of a commit in order, as many as fit. */
export function plainList(repo, commit, bytes) {
  return cut(sh("git", ["-C", repo, "ls-tree", "-r", "--name-only", commit]), bytes);
}

/** The definitions that ctags finds, in its own order, in the form of our map; undefined where there is no ctags. */
export function ctagsOrder(folder, bytes) {
  const made = spawnSync("ctags", ["-R", "-x", "--_xformat=%F\t%n\t%C", "--sort=no", "."], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (made.status !== 0) return undefined;
  let last = "";
  const lines = made.stdout.split("\n").flatMap((row) => {
    const [path = "", line = "", ...signature] = row.split("\t");
    const place = path.replace(/^\.\//, "");
    const said = ` ${line} ${signature.join(" ").replace(/\s+/g, " ").slice(0, 120)}`;
    const isNew = place !== last;
    last = place;
    return isNew ? [place, said] : [said];
  });
  return cut(lines.join("\n"), bytes);
}

function cut(text, bytes) {
  const kept = Buffer.from(text).subarray(0, bytes).toString("utf8");
  return kept.slice(0, kept.lastIndexOf("\n"));
}

/** Of what is wanted, how much is there. */
export function recall(wanted, found) {
  return wanted.length === 0 ? 1 : wanted.filter((one) => found.has(one)).length / wanted.length;
}
