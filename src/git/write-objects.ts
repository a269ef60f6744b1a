import { inStore, keepObjects, type ObjectStore } from "./keep-objects.ts";
import { assertOid, type Identity } from "./names.ts";
import { gitOk } from "./run.ts";

export interface Commit {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
  readonly identity: Identity;
  readonly at: Date;
}

/** Writes the bytes of a file as they are: no filter and no conversion of line ends applies. */
export async function writeBlob(store: ObjectStore, bytes: Uint8Array): Promise<string> {
  const output = await gitOk(["hash-object", "-w", "--stdin"], { ...inStore(store), stdin: bytes });
  return output.toString("utf8").trim();
}

/** Makes a commit that is on the disk when this returns; no ref names it yet. */
export async function commitTree(store: ObjectStore, commit: Commit): Promise<string> {
  const { tree, parent } = commit;
  const args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", assertOid(tree), "-p", assertOid(parent), "-F", "-"];
  const where = inStore(store);
  const stdin = `${commit.message.replaceAll("\0", "").trimEnd()}\n`;
  const output = await gitOk(args, { ...where, stdin, env: { ...where.env, ...signature(commit) } });
  const oid = output.toString("utf8").trim();
  await keepObjects(store, { oids: [oid], head: oid, known: [parent, tree] });
  return oid;
}

function signature({ identity, at }: Commit): Record<string, string> {
  const [name, email] = [clean(identity.name), clean(identity.email)];
  const date = `@${Math.floor(at.getTime() / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

function clean(text: string): string {
  return text.replace(/[<>\n\0]/g, " ").trim();
}
