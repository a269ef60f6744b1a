/** A kind of project whose set-up and checks `stint init` knows. */
export type Kind = "node" | "python" | "go" | "rust";

/** What `stint init` reads of a repository. */
export interface Survey {
  /** Paths from the root: tracked, or new and not ignored. */
  readonly files: ReadonlySet<string>;
  /** Contents of manifests by path; `unread` has those that are too large or not plain files. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why a manifest was not read, as a sentence. */
  readonly unread: readonly string[];
  /** Those folders that git ignores, of the ones that set-up may fill and `.stint`. */
  readonly ignored: ReadonlySet<string>;
  readonly hooks: HookFolder;
}

/** Where git looks for hooks, and which hooks it finds. */
export interface HookFolder {
  /** Its path from the root of the repository; null if it is outside the work tree. */
  readonly path: string | null;
  readonly names: readonly string[];
}

/** A proposed command for `checks` of the rules; a doubtful one is written as a comment. */
export interface Proposal {
  readonly command: string;
  /** The folder it runs in; "" is the root. */
  readonly dir: string;
  /** What the command stands for in the project, shown beside it; it is text from the repository. */
  readonly says?: string | undefined;
  /** Why a person should look before using it. */
  readonly doubt?: string | undefined;
}

/** The command that prepares a fresh checkout for checks. */
export interface Setup {
  readonly command: string;
  readonly dir: string;
  /** Globs from the root of the repository. */
  readonly inputs: readonly string[];
  /** A folder of the checkout, below `dir`, that it fills. */
  readonly makes?: string;
  /** What people should know about it, in one line each. */
  readonly notes: readonly string[];
}

/** One project of the repository. */
export interface Found {
  readonly kind: Kind;
  readonly dir: string;
  /** The files that identify it. */
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

/** The first of these files that a project's folder has. */
export function firstOf({ files }: Survey, dir: string, names: readonly string[]): string | undefined {
  return names.find((name) => files.has(inDir(dir, name)));
}

/** The text of a manifest; "" if there is none or it was not read. */
export function textOf({ texts }: Survey, dir: string, name: string): string {
  return texts.get(inDir(dir, name)) ?? "";
}
