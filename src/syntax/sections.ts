/**
 * The settings of a TOML or INI text, one level deep: `[tool.pytest.ini_options]` with `addopts = "-q"` is
 * `tool.pytest.ini_options.addopts`. Values are texts; a list over several lines is one text. Tables of a list are numbered.
 */
export function sectionsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const counts = new Map<string, number>();
  let section = "";
  let open: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const bare = line.replace(/(?:^|\s)[#;](?![^"']*["']\s*[,\]}]).*$/, "").trimEnd();
    const head =
      open === undefined || depthOf(found.get(open) ?? "") === 0
        ? /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*$/.exec(bare)
        : null;
    const pair = /^\s*("[^"]+"|[\w.*$/@:-]+)\s*[=:]\s*(.*)$/.exec(bare);
    if (head !== null) {
      section = head[1] === "[[" ? numbered(counts, head[2] ?? "") : (head[2] ?? "").replaceAll('"', "");
      open = undefined;
    } else if (open !== undefined && (depthOf(found.get(open) ?? "") > 0 || (/^\s+\S/.test(bare) && pair === null)))
      found.set(open, `${found.get(open) ?? ""} ${bare.trim()}`.trim());
    else if (pair !== null) {
      open = [section, (pair[1] ?? "").replaceAll('"', "")].filter((part) => part !== "").join(".");
      found.set(open, (pair[2] ?? "").trim());
    }
  }
  return found;
}

function numbered(counts: Map<string, number>, name: string): string {
  const count = counts.get(name) ?? 0;
  counts.set(name, count + 1);
  return `${name}[${count}]`;
}

/** How many brackets are open at the end of a value. */
function depthOf(value: string): number {
  const bare = value.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, "");
  const count = (pattern: RegExp): number => bare.match(pattern)?.length ?? 0;
  return count(/[[{]/g) - count(/[\]}]/g);
}
