/** Folders that a process sees as one. What it changes goes to the uppermost; the others are never written. */
export interface Layer {
  /** The folders below, the uppermost first. */
  readonly lower: readonly string[];
  /** The uppermost folder; the whole is seen in its place. */
  readonly upper: string;
  /** An empty folder beside the uppermost one, which the kernel needs to make changes; without it, nothing can be changed. */
  readonly work?: string;
}

/** The programs that join folders: a mount that only one process tree sees needs no administrator. */
export interface LayerTools {
  readonly unshare: string;
  readonly mount: string;
}

/**
 * Returns the command that sees the folders as one; no other process does. Inside, the user has the number 0, and nothing
 * more may be done with that than the user could do before.
 */
export function inLayer(tools: LayerTools, layer: Layer, argv: readonly string[]): string[] {
  return inLayers(tools, [layer], argv);
}

/** Returns the command that sees several joined folders, and starts in the last of them. */
export function inLayers({ unshare, mount }: LayerTools, layers: readonly Layer[], argv: readonly string[]): string[] {
  const joined = layers.flatMap((layer) => [optionsOf(layer), layer.upper]);
  const join = '"$0" -t overlay stint -o "$1" "$2" && cd "$2" && shift 2 || exit';
  const script = `while [ "$1" != -- ]; do ${join}; done; shift; exec "$@"`;
  const alone = ["--user", "--map-root-user", "--mount"];
  return [unshare, ...alone, "--", "/bin/sh", "-c", script, mount, ...joined, "--", ...argv];
}

/**
 * Returns the command without the rights that joining folders gave it: what the user may not read, it cannot read. For the
 * user with number 0 there is nothing to take away.
 */
export function withoutRights({ unshare }: LayerTools, argv: readonly string[]): readonly string[] {
  return process.getuid?.() === 0 ? argv : [unshare, "--user", "--", ...argv];
}

function optionsOf({ lower, upper, work }: Layer): string {
  const folders =
    work === undefined
      ? `lowerdir=${[upper, ...lower].join(":")}`
      : `lowerdir=${lower.join(":")},upperdir=${upper},workdir=${work}`;
  return `${folders},userxattr`;
}

/** Says why folders below this one cannot be joined: these characters have a meaning in the options of a mount. */
export function whyNotJoined(folder: string): string | undefined {
  if (/[,:\\"]/.test(folder)) return `${folder} has a comma, a colon, a quote or a backslash in its name`;
  return folder.length > pathCharsMax ? `${folder} is a very long path` : undefined;
}

/** The options of a mount fit on one page of memory, and name up to five folders below this one. */
const pathCharsMax = 500;
