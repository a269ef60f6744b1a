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
