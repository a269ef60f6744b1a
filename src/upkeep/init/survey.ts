/** A kind of project that `stint init` knows set-up and checks of. */
export type Kind = "node" | "python" | "go" | "rust";

/** What lies in a repository, as far as `stint init` looks. */
export interface Survey {
  /** Paths from the root: tracked, or new and not ignored. */
  readonly files: ReadonlySet<string>;
  /** Contents of manifests by path; one that is too large or no plain file is in `unread`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why a manifest was not read, as a sentence. */
  readonly unread: readonly string[];
  /** Folders that set-up may fill, and `.stint`, as far as git ignores them. */
  readonly ignored: ReadonlySet<string>;
  readonly hooks: HookFolder;
}

/** Where git looks for hooks, and which are there. */
export interface HookFolder {
  /** From the root of the repository; null where it lies outside the work tree. */
  readonly path: string | null;
  readonly names: readonly string[];
}

/** A command for `checks` of the rules; with a doubt it is written as a comment. */
export interface Proposal {
  readonly command: string;
  /** The folder it belongs to; "" is the root. */
  readonly dir: string;
  /** What the command stands for in the project: text of others, shown beside it. */
  readonly says?: string | undefined;
  /** Why a person should look before using it. */
  readonly doubt?: string | undefined;
}

/** What makes a fresh checkout ready for checks. */
export interface Setup {
  readonly command: string;
  readonly dir: string;
  /** Globs from the root of the repository. */
  readonly inputs: readonly string[];
  /** A folder of the checkout, below `dir`, that it fills. */
  readonly makes?: string;
  /** What to know about it; one line each. */
  readonly notes: readonly string[];
}

/** One project of the repository. */
export interface Found {
  readonly kind: Kind;
  readonly dir: string;
  /** The files that gave it away. */
  readonly evidence: readonly string[];
  readonly setup: Setup | null;
  readonly checks: readonly Proposal[];
  /** Sentences for every agent. */
  readonly prose: readonly string[];
}

/** A protected glob, with the reason that is written beside it. */
export interface Protection {
  readonly glob: string;
  readonly why: string;
}

/** The path of a name in a project's folder. */
export function inDir(dir: string, name: string): string {
  return dir === "" ? name : `${dir}/${name}`;
}

/** Whether a project's folder has one of these files; the first that it has. */
export function firstOf({ files }: Survey, dir: string, names: readonly string[]): string | undefined {
  return names.find((name) => files.has(inDir(dir, name)));
}

/** The text of a manifest; "" where there is none or it was not read. */
export function textOf({ texts }: Survey, dir: string, name: string): string {
  return texts.get(inDir(dir, name)) ?? "";
}
