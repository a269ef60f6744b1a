import { after } from "./deadline.ts";
import type { Exit } from "./held-process.ts";

/** How a child that was started ended. */
export type End =
  | Exit
  | { readonly kind: "timeout" }
  | { readonly kind: "idle" }
  | { readonly kind: "aborted" }
  /** It had reported its end, did not exit within the grace period, and was ended. */
  | { readonly kind: "final" }
  /** It used more of the machine than one session may: "more than 1000 processes". */
  | { readonly kind: "exceeded"; readonly what: string };

/** Collects everything that can end a child; the first one decides. */
export interface Ending {
  /** Rejects after `fail`. */
  readonly end: Promise<End>;
  readonly decide: (end: End) => void;
  /** The child has reported its end: from now on only its exit, the grace period or an abort end it. */
  readonly lastWord: (graceMs: number) => void;
  /** Records a bug of ours while the child ran or its last output was read. */
  readonly fail: (error: Error) => void;
  /** Throws what failed, even after the end was known. */
  readonly rethrow: () => void;
  /** Calls back when the end is known, or at once if it is already. */
  readonly whenOver: (cleanup: () => void) => void;
}

export function awaitEnding(): Ending {
  let settle: { readonly resolve: (end: End) => void; readonly reject: (error: Error) => void } | undefined;
  const end = new Promise<End>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const cleanups: (() => void)[] = [];
  let isOver = false;
  let isFinal = false;
  let failure: Error | undefined;
  const over = (): void => {
    isOver = true;
    for (const cleanup of cleanups.splice(0)) cleanup();
  };
  end.then(over, over);
  const whenOver: Ending["whenOver"] = (cleanup) => (isOver ? cleanup() : void cleanups.push(cleanup));
  return {
    end,
    decide: (found) => {
      const isCutShort = found.kind === "timeout" || found.kind === "idle" || found.kind === "exceeded";
      settle?.resolve(isFinal && isCutShort ? { kind: "final" } : found);
    },
    lastWord: (graceMs) => {
      if (isFinal) return;
      isFinal = true;
      whenOver(after(graceMs, () => settle?.resolve({ kind: "final" })));
    },
    fail: (error) => {
      failure ??= error;
      settle?.reject(error);
    },
    rethrow: () => {
      if (failure !== undefined) throw failure;
    },
    whenOver,
  };
}
