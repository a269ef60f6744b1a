/** Reads JSON with comments and trailing commas, as tsconfig.json has them; undefined where the text is none. */
export function jsonOf(text: string): unknown {
  const bare = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(bare);
  } catch {
    return parsed(
      bare.replace(/"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (token) =>
        token.startsWith('"') ? token : " ",
      ),
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/"(?:\\.|[^"\\\n])*"|,(?=\s*[}\]])/g, (token) => (token === "," ? " " : token)));
  } catch {
    return undefined;
  }
}

/** Finds the fields of an object; a value that is no object has none. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
