import type { Task } from "../../plan/types.ts";

/** Whether a task names a file literally and its own words, without its checks, speak of a script in it. */
export function speaksOfScript(
  task: Task,
  path: string,
  script: { readonly name: string; readonly is: string },
): boolean {
  const { modify, touch } = task.files;
  if (![...modify, ...touch].includes(path)) return false;
  const words = [task.title, ...Object.values(task.sections)].join("\n");
  return namesScript(words, script.name) || namesMove(words, script.is);
}

/** `npm test`, "the test script", "script `test`", `scripts`. */
function namesScript(words: string, name: string): boolean {
  const own = name.replaceAll(/[^\w:-]/g, ".");
  const quote = "[\"'`]?";
  const ways = [
    String.raw`\b(?:npm|yarn|pnpm|bun)(?: run)? ${own}(?![\w:-])`,
    String.raw`(?<![\w:-])${own}${quote}\s+scripts?\b`,
    String.raw`\bscripts?\s+${quote}${own}(?![\w:-])`,
    String.raw`\bscripts\b`,
  ];
  return ways.some((way) => new RegExp(way, "i").test(words));
}

/** "Move the tests from test/ to src/", where the new command line says `src/`. */
function namesMove(words: string, line: string): boolean {
  const places = line.split(/\s+/).filter((word) => word.includes("/"));
  const isMove = /\b(?:mov|renam|relocat)\w*\b[^.]*\btests?\b/i.test(words);
  return isMove && places.length > 0 && places.every((place) => words.includes(place.replace(/\/$/, "")));
}
