/** A JSON text with comments and trailing commas, as tsconfig.json has them; undefined where it is none. */
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

/** An object's fields; none where the value is no object. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
