import { basename } from "node:path";
import type { Machine } from "../../src/project/machine.ts";

/** What a sender of commands did to the folder of commands, as it happened. */
export interface Post {
  readonly ids: string[];
  /** On the disk for good. */
  readonly durable: Set<string>;
  /** Taken back by the sender before anybody took it. */
  readonly withdrawn: Set<string>;
  /** Removed by the sender after it took it itself, because nobody drove the run. */
  readonly removed: Set<string>;
}

/** A machine that notes which commands its process sent and took back. */
export function posted(machine: Machine): { readonly machine: Machine; readonly post: Post } {
  const post: Post = { ids: [], durable: new Set(), withdrawn: new Set(), removed: new Set() };
  const renamed = new Set<string>();
  const { files } = machine;
  const idIn = (path: string) => /^(.*)\.(?:json|taken)$/.exec(basename(path))?.[1] ?? "";
  return {
    post,
    machine: {
      ...machine,
      newId: () => {
        const id = machine.newId();
        post.ids.push(id);
        return id;
      },
      files: {
        ...files,
        rename: (from, to) => {
          files.rename(from, to);
          if (post.ids.includes(idIn(to))) renamed.add(idIn(to));
        },
        // Whoever has sent looks at the journal next, and believes by then that the command is safe.
        stat: (path) => {
          if (path.endsWith("journal.jsonl")) for (const id of renamed) post.durable.add(id);
          return files.stat(path);
        },
        unlink: (path) => {
          files.unlink(path);
          if (post.ids.includes(idIn(path))) (path.endsWith(".json") ? post.withdrawn : post.removed).add(idIn(path));
        },
      },
    },
  };
}
