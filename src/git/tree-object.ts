/** One entry of a tree object. */
export interface TreeEntry {
  readonly name: Buffer;
  readonly isFolder: boolean;
  readonly oid: string;
  /** Where its object's binary name begins. */
  readonly oidAt: number;
}

/** A tree object is a run of `<mode> <name>\0<binary name of the object>`. */
export function treeEntries(tree: Buffer, oidBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(32, at);
    const end = tree.indexOf(0, space);
    if (space === -1 || end === -1) throw new Error("Internal error: expected a tree object, but it is damaged");
    const oidAt = end + 1;
    entries.push({
      name: tree.subarray(space + 1, end),
      isFolder: tree.toString("latin1", at, space) === "40000",
      oid: tree.toString("hex", oidAt, oidAt + oidBytes),
      oidAt,
    });
    at = oidAt + oidBytes;
  }
  return entries;
}

/** A tree object of its own, with entries in any order. */
export function treeOfEntries(
  entries: readonly { readonly name: string; readonly mode: "100644" | "100755" | "40000"; readonly oid: string }[],
): Buffer {
  const found = entries.map(({ name, mode, oid }) => ({
    name: Buffer.from(name),
    isFolder: mode === "40000",
    mode,
    oid,
  }));
  const sorted = found.toSorted((a, b) => Buffer.compare(orderOf(a), orderOf(b)));
  return Buffer.concat(
    sorted.flatMap(({ name, mode, oid }) => [Buffer.from(`${mode} `), name, Buffer.of(0), Buffer.from(oid, "hex")]),
  );
}

/** The same tree with a file or folder added, or put in the place of the one of that name and kind. */
export function withEntry(tree: Buffer, entry: Pick<TreeEntry, "name" | "isFolder" | "oid">): Buffer {
  const oid = Buffer.from(entry.oid, "hex");
  const added = Buffer.concat([Buffer.from(entry.isFolder ? "40000 " : "100644 "), entry.name, Buffer.of(0), oid]);
  const others = treeEntries(tree, oid.length);
  const order = (other: TreeEntry): number => Buffer.compare(orderOf(other), orderOf(entry));
  const before = others.findLast((other) => order(other) < 0);
  const replaced = others.find((other) => order(other) === 0) ?? before;
  const endOf = (other: TreeEntry | undefined): number => (other === undefined ? 0 : other.oidAt + oid.length);
  return Buffer.concat([tree.subarray(0, endOf(before)), added, tree.subarray(endOf(replaced))]);
}

/** Git sorts a folder as if its name ended in a slash. */
function orderOf({ name, isFolder }: Pick<TreeEntry, "name" | "isFolder">): Buffer {
  return isFolder ? Buffer.concat([name, Buffer.from("/")]) : name;
}
