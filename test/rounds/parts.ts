import type { Files, RoundCheck, Trouble } from "./round.ts";

/** A piece of a task: what it may touch, what proves it, and how an honest agent does it. */
export interface Part {
  readonly files: Partial<Files>;
  readonly granted?: readonly string[];
  readonly checks: readonly RoundCheck[];
  readonly honest: string;
  readonly trouble?: Trouble;
}

/** The file that every task makes, so that its checks are red before the work. */
export function ownFile(id: string): Part {
  const file = ownPath(id);
  return {
    files: { create: [file] },
    checks: [{ run: `grep -q 'ready ${id}' ${file}` }],
    honest: `echo 'ready ${id}' | put ${file}`,
  };
}

export function ownPath(id: string): string {
  return `out/${id}.txt`;
}

/** A line of a file that other tasks edit, too; their lines touch. */
export function slot(id: string, file: string, line: number): Part {
  return {
    files: { modify: [file] },
    checks: [{ run: `grep -q 'slot ${line}: ${id}$' ${file}` }],
    honest: fillSlot(id, file, line),
    trouble: "overlapping edits",
  };
}

/** The same edit of a file that the task does not name: the agent asks for it, and gets it because no check names it either. */
export function askedSlot(id: string, file: string, line: number): Part {
  const report = `{"status":"done","summary":"did it","need_files":["${file}"]}`;
  return {
    files: {},
    granted: [file],
    checks: [{ run: `grep -rqx 'slot ${line}: ${id}'` }],
    honest: `${fillSlot(id, file, line)}\necho '${report}' >"$STINT_OUTBOX/report.json"`,
    trouble: "scope asked for and granted",
  };
}

/** Takes the lowest number that it sees nobody use: two tasks at once take the same, each is green alone. */
export function port(id: string): Part {
  const file = `ports/${id}`;
  return {
    files: { create: [file] },
    checks: [{ run: `test -s ${file}` }, { run: 'test -z "$(cat ports/* | sort | uniq -d)"', red: false }],
    honest: `number=1\nwhile grep -qx "$number" ports/* 2>/dev/null; do number=$((number + 1)); done\necho "$number" | put ${file}`,
    trouble: "conflict by checks",
  };
}

/** A file where another task wants a folder; both have a second choice. */
export function spotAsFile(id: string): Part {
  const [spot, aside] = ["spot", `spot-${id}.txt`];
  return {
    files: { create: [spot, aside] },
    checks: [{ run: `test -f ${spot} || test -f ${aside}` }],
    honest: `if [ -d ${spot} ]; then echo aside | put ${aside}; else echo here | put ${spot}; fi`,
    trouble: "textual conflict",
  };
}

export function spotAsFolder(id: string): Part {
  const [inside, aside] = [`spot/${id}.txt`, `spot-${id}.txt`];
  return {
    files: { create: [inside, aside] },
    checks: [{ run: `test -f ${inside} || test -f ${aside}` }],
    honest: `if [ -f spot ]; then echo aside | put ${aside}; else echo here | put ${inside}; fi`,
    trouble: "textual conflict",
  };
}

const quarrel = {
  run: "! { grep -q sleeping sleeper && ! grep -q plugs sleeper && grep -q loud radio; }",
  red: false,
} as const;

/** Wants quiet; only its own check says so. With a loud radio it takes ear plugs. */
export function sleeper(): Part {
  return {
    files: { create: ["sleeper"] },
    checks: [{ run: "grep -q sleeping sleeper" }, quarrel],
    honest: "if grep -q loud radio; then echo sleeping with plugs; else echo sleeping; fi | put sleeper",
    trouble: "conflict seen by an earlier task",
  };
}

/** Makes noise; its own checks do not mind. With a sleeper in the house it keeps low. */
export function radio(): Part {
  return {
    files: { modify: ["radio"] },
    checks: [{ run: "grep -q on radio" }],
    honest: "if [ -e sleeper ]; then echo on and low; else echo on and loud; fi | put radio",
    trouble: "conflict seen by an earlier task",
  };
}

export function removal(file: string): Part {
  return { files: { delete: [file] }, checks: [{ run: `test ! -e ${file}` }], honest: `rm ${file}` };
}

/** Adds to what a dependency made; with `spoil` set it keeps nothing of that, which only the checks of others see. */
export function buildsOn(id: string, dependency: string): Part {
  const file = ownPath(dependency);
  return {
    files: { modify: [file] },
    checks: [{ run: `grep -q 'read by ${id}' ${file}` }],
    honest: `{ [ -n "$spoil" ] || cat ${file}; echo 'read by ${id}'; } | put ${file}`,
  };
}

/** A process that no signal to the agent's process group reaches. */
export const daemon: Part = {
  files: {},
  checks: [],
  honest: "setsid sleep 1000 </dev/null >/dev/null 2>&1 &",
  trouble: "daemon left behind",
};

/** Takes its time, so that sessions overlap and kills fall into them. */
export function pause(ms: number): Part {
  return { files: {}, checks: [], honest: `sleep ${(ms / 1000).toFixed(3)}` };
}

function fillSlot(id: string, file: string, line: number): string {
  return `sed 's/^slot ${line}: .*/slot ${line}: ${id}/' ${file} | put ${file}`;
}
