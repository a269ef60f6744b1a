/** Colours for people; text of others is made `visible` before it is painted. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** Chooses how a stream is painted: without colours if it is not a terminal, or if the user asked for none. */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  { env, argv }: { readonly env: NodeJS.ProcessEnv; readonly argv: readonly string[] },
): Paint {
  const isUnwanted = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb" || optionsOf(argv).includes("--no-color");
  return stream.isTTY === true && !isUnwanted ? coloured : plain;
}

function optionsOf(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}

const same = (text: string): string => text;

/** No colours at all. */
export const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

const coloured: Paint = {
  bold: code(1, 22),
  dim: code(2, 22),
  red: code(31, 39),
  green: code(32, 39),
  yellow: code(33, 39),
  cyan: code(36, 39),
};

function code(on: number, off: number): (text: string) => string {
  return (text) => (text === "" ? "" : `\u{1b}[${on}m${text}\u{1b}[${off}m`);
}
