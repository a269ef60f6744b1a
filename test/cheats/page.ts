const begin = "<!-- cheats: begin (npm run cheats -- --write) -->";
const end = "<!-- cheats: end -->";

/** The page with these tables between its markers. */
export function withTables(page: string, tables: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from)
    throw new Error(`Internal error: expected ${begin} and ${end} in the page, but was none`);
  return `${page.slice(0, from)}${begin}\n${tables}\n${page.slice(to)}`;
}
