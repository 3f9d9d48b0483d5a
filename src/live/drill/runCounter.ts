/** Runs of a grade: the maximum number, and the number done. */
export interface RunCount {
  readonly done: number;
  readonly expected: number;
}

const DONE = 0;
const EXPECTED = 1;

/** Counts the runs of a grade in shared memory, so that the server can read the progress of its thread. */
export class RunCounter {
  private readonly counts: Int32Array;

  /** @param memory  of `RunCounter.allocate` */
  constructor(memory: SharedArrayBuffer) {
    this.counts = new Int32Array(memory);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Adds runs that are still to be done. */
  expect(runs: number): void {
    Atomics.add(this.counts, EXPECTED, runs);
  }

  addRun(): void {
    Atomics.add(this.counts, DONE, 1);
  }

  get count(): RunCount {
    return { done: Atomics.load(this.counts, DONE), expected: Atomics.load(this.counts, EXPECTED) };
  }
}
