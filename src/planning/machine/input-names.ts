import { planningLimits } from "../limits.ts";

/** An input file: its path, and how much of it is below the folder that a person named. */
export interface InputFile {
  /** The segments of its absolute path. */
  readonly segments: readonly string[];
  /** How many of the last segments are inside the named folder; 1 for a file that was named itself. */
  readonly below: number;
}

/** Chooses where each input is kept next to the plan: safe names, and no two the same on any file system. */
export function inputNames(files: readonly InputFile[]): string[] {
  const tops = new Map(files.map((file) => [topOf(file), topSegments(file)]));
  const labels = distinctLabels([...tops.values()]);
  const labelOf = new Map([...tops.keys()].map((top, at) => [top, labels[at] ?? ""]));
  const taken = new Places();
  return files.map((file) => {
    const rest = file.segments.slice(file.segments.length - file.below + 1).map(safeSegment);
    const label = (labelOf.get(topOf(file)) ?? "").split("/");
    return `inputs/${taken.take([...label, ...rest].map(asFolderButLast))}`;
  });
}

function topSegments({ segments, below }: InputFile): readonly string[] {
  return segments.slice(0, segments.length - below + 1);
}

function topOf(file: InputFile): string {
  return topSegments(file).join("/");
}

/** Labels what people named; where two labels are the same, parent folders are added until they differ. */
function distinctLabels(tops: readonly (readonly string[])[]): string[] {
  const depths = tops.map(() => 1);
  const labels = () =>
    tops.map((top, at) =>
      top
        .slice(-(depths[at] ?? 1))
        .map(safeSegment)
        .join("/"),
    );
  // Paths that differ only in capitals stay the same however many folders are added.
  const whole = tops.map((top) => folded(top.join("/")));
  for (;;) {
    const now = labels().map(folded);
    const isTwin = (at: number): boolean => now.some((label, other) => label === now[at] && whole[other] !== whole[at]);
    const grow = tops.flatMap((top, at) => (isTwin(at) && (depths[at] ?? 1) < top.length ? [at] : []));
    if (grow.length === 0) return labels();
    for (const at of grow) depths[at] = (depths[at] ?? 1) + 1;
  }
}

/** Keeps letters, digits and a few marks: the result is no glob, no option and no hidden file. */
function safeSegment(segment: string): string {
  const plain = segment
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+|\.+$/g, "");
  const extension = /\.[A-Za-z0-9]{1,9}$/.exec(plain)?.[0] ?? "";
  const stem = plain.slice(0, plain.length - extension.length);
  let short = "";
  for (const char of stem) if (short.length + char.length <= planningLimits.inputNameCharsMax) short += char;
  return (short === "" ? "input" : short) + extension;
}

/** Renames folders that look like documents, which lint rejects in a plan. */
function asFolderButLast(segment: string, at: number, all: readonly string[]): string {
  return at === all.length - 1 ? segment : segment.replace(/\.(md|yaml)$/i, "-$1");
}

/** Folds capitals: some disks treat `A.png` and `a.png` as the same file. */
function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

class Places {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  take(segments: readonly string[]): string {
    const path = this.firstFree(segments);
    const parts = folded(path).split("/");
    this.files.add(folded(path));
    for (let end = 1; end < parts.length; end++) this.folders.add(parts.slice(0, end).join("/"));
    return path;
  }

  private firstFree(segments: readonly string[]): string {
    const [name = "", ...above] = segments.toReversed();
    const dot = name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : name.length;
    for (let nth = 1; ; nth++) {
      const numbered = nth === 1 ? name : `${name.slice(0, dot)}-${nth}${name.slice(dot)}`;
      const inPlace = [...above.toReversed(), numbered].join("/");
      if (this.isFree(inPlace)) return inPlace;
      // Where one of its folders has the name of a file, it is kept without its folders.
      if (this.isFree(numbered) && above.length > 0 && !this.hasFolders(above.toReversed())) return numbered;
    }
  }

  private isFree(path: string): boolean {
    const parts = folded(path).split("/");
    const isBelowFile = parts.some((_, end) => end > 0 && this.files.has(parts.slice(0, end).join("/")));
    return !isBelowFile && !this.files.has(folded(path)) && !this.folders.has(folded(path));
  }

  private hasFolders(folder: readonly string[]): boolean {
    return folder.every((_, at) => !this.files.has(folded(folder.slice(0, at + 1).join("/"))));
  }
}
