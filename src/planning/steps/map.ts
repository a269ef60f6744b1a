import type { PlanningSession } from "../planning-session.ts";

/** Writes down what the code consists of, once for all sessions. */
export async function mapCode({ ports, paths, append }: PlanningSession): Promise<undefined> {
  const { text, files, symbols, tokens } = await ports.map();
  ports.write(paths.map, text);
  append({ type: "mapped", files, symbols, tokens });
}
