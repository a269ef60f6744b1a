import { expect, test } from "vitest";
import { boundDisk, boundProcesses, type Bounds, inUnits } from "../../../src/process/bounds.ts";
import type { ProcessStat } from "../../../src/process/table.ts";

const bounds: Bounds = {
  processesMax: 3,
  threadsMax: 10,
  threadsOfAllMax: 15,
  memoryBytesMax: 1_000,
  diskBytesMax: 20_000_000_000,
  diskFreeBytesMin: 1_000_000_000,
};

test("as many processes, threads and bytes as allowed are kept, and one more of each is named", () => {
  using bound = boundProcesses(bounds);
  expect(bound.exceeds([member({ threads: 8 }), member({ threads: 1 }), member({ threads: 1 })])).toBeUndefined();
  expect(bound.exceeds(Array.from({ length: 4 }, () => member({})))).toBe("more than 3 processes");
  expect(bound.exceeds([member({ threads: 11 })])).toBe("more than 10 threads");
  expect(bound.exceeds([member({ residentBytes: 1_000 })])).toBeUndefined();
  expect(bound.exceeds([member({ residentBytes: 600 }), member({ residentBytes: 401 })])).toBe(
    "more than 0 MB of memory",
  );
});

test("of sessions that use too much only together, the largest has to yield", () => {
  using small = boundProcesses(bounds);
  using large = boundProcesses(bounds);
  expect(small.exceeds([member({ threads: 6 })])).toBeUndefined();
  expect(large.exceeds([member({ threads: 10 })])).toBe(
    "more than 15 threads together with what ran beside it, and the most of all",
  );
  expect(small.exceeds([member({ threads: 6 })])).toBeUndefined();
});

test("a session that has ended counts no more", () => {
  using staying = boundProcesses(bounds);
  const ended = boundProcesses(bounds);
  ended.exceeds([member({ threads: 10 })]);
  ended[Symbol.dispose]();
  expect(staying.exceeds([member({ threads: 10 })])).toBeUndefined();
});

test("a full disk is charged to the session that wrote as much, and to no other", () => {
  const gigabytes = (count: number) => count * 1_000_000_000;
  const use = { freeBefore: gigabytes(50), free: gigabytes(0.5), written: gigabytes(1) };
  expect(boundDisk(use, bounds)).toBe("so much disk that less than 1 GB is left");
  expect(boundDisk({ ...use, written: gigabytes(0.9) }, bounds)).toBeUndefined();
  expect(boundDisk({ ...use, free: gigabytes(1) }, bounds)).toBeUndefined();
  expect(boundDisk({ ...use, free: gigabytes(40), written: gigabytes(21) }, bounds)).toBe("more than 20 GB of disk");
});

test("on a disk that was nearly full before, the session is to blame if it took most of the rest", () => {
  const megabytes = (count: number) => count * 1_000_000;
  const use = { freeBefore: megabytes(400), free: megabytes(90), written: megabytes(200) };
  expect(boundDisk(use, bounds)).toBe("so much disk that less than 1 GB is left");
  expect(boundDisk({ ...use, written: megabytes(199) }, bounds)).toBeUndefined();
  expect(boundDisk({ ...use, free: megabytes(100) }, bounds)).toBeUndefined();
  expect(boundDisk({ freeBefore: megabytes(99), free: 0, written: megabytes(99) }, bounds)).toBeUndefined();
});

test("sizes are written in the unit that people use for them", () => {
  expect([64_000_000, 999_000_000, 1_000_000_000, 12_340_000_000].map(inUnits)).toEqual([
    "64 MB",
    "999 MB",
    "1 GB",
    "12.3 GB",
  ]);
});

/** No process has this number, so its memory is what the line says. */
const nobody = 2 ** 30;

function member(stat: Partial<ProcessStat>): ProcessStat {
  const rest = { state: "S", parent: 1, group: nobody, session: nobody, cpuTicks: 0, startTime: "1" };
  return { pid: nobody, ...rest, threads: 1, residentBytes: 0, ...stat };
}
