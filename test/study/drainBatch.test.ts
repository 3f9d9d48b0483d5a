import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/study/workers/evaluator.ts";
import {
  type Batch,
  createBatch,
  drainBatch,
  type Executor,
  type RunResult,
  type StudyJob,
  stopBatch,
} from "../../src/study/workers/executor.ts";
import { createInlineWorker, sharedExecutor } from "../../src/study/workers/sharedExecutor.ts";
import { turns } from "../turns.ts";

/** Tells candidates and seeds apart. */
const outcomeOf = (candidate: number, seed: number): Outcome => ({ kpis: [1000 * candidate + seed], refusal: null });
const evaluator = {
  *slices(patch: StudyJob["patch"], seed: number): Generator<null, Outcome> {
    yield null;
    return outcomeOf(Number(patch.p), seed);
  },
};

const jobsOf = (...seedCounts: number[]): StudyJob[] =>
  seedCounts.map((count, p) => ({ patch: { p }, seeds: Array.from({ length: count }, (_, k) => 7 + k) }));

const allRuns = (jobs: readonly StudyJob[]): number[][] =>
  jobs.flatMap(({ seeds }, job) => seeds.map((seed, place) => [job, place, 1000 * job + seed]));
const runsOf = (pieces: readonly RunResult[]): number[][] =>
  pieces
    .map(({ jobIndex, seedIndex, outcome }) => [jobIndex, seedIndex, outcome.kpis?.[0] ?? Number.NaN])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);

/** Workers that take turns, each with its number of runs at a time. @returns the runs of each */
function inTurns(batch: Batch, turns: readonly number[]): RunResult[][] {
  const workers = turns.map(() => drainBatch(evaluator, batch));
  const done = turns.map((): RunResult[] => []);
  for (let isOver = false; !isOver; )
    isOver = workers
      .map((worker, k) => {
        for (let run = 0; run < turns[k]; run++) {
          let { value } = worker.next();
          while (value === null) ({ value } = worker.next());
          if (value === undefined) return true;
          done[k].push(value);
        }
        return false;
      })
      .every((ended) => ended);
  return done;
}

describe("a batch", () => {
  test.each<[string, StudyJob[], number[]]>([
    ["one worker", jobsOf(3, 1, 2), [1]],
    ["two workers", jobsOf(3, 1, 2), [1, 1]],
    ["more workers than runs", jobsOf(1, 1), [1, 1, 1]],
    ["candidates with many seeds", jobsOf(40, 40), [1, 1]],
    ["a worker that is three times as fast", jobsOf(20, 20, 20, 20), [3, 1]],
  ])("is run once by %s", (_, jobs, turns) => {
    const done = inTurns(createBatch(jobs, 0, turns.length), turns);
    expect(runsOf(done.flat())).toEqual(allRuns(jobs));
  });

  test.each<[StudyJob[], number[], number[]]>([
    // Equally fast workers end together, whatever the candidates.
    [jobsOf(8, 8, 8, 8), [1, 1], [16, 16]],
    [jobsOf(1, 1, 1, 1, 1, 1, 1), [1, 1], [4, 3]],
    [jobsOf(32), [1, 1], [16, 16]],
    // Three quarters of the runs for one that is three times as fast: up to what was taken last.
    [jobsOf(40, 40), [3, 1], [60, 20]],
  ])("of %j leaves no worker idle at its end", (jobs, turns, counts) => {
    const done = inTurns(createBatch(jobs, 0, turns.length), turns);
    done.forEach((pieces, k) => expect(Math.abs(pieces.length - counts[k])).toBeLessThanOrEqual(1));
  });

  test("gives the candidates of one seed to one worker, as far as both have enough runs", () => {
    const onSeed = (seed: number) => Array.from({ length: 10 }, (_, p): StudyJob => ({ patch: { p }, seeds: [seed] }));
    const jobs = [7, 8, 9, 10, 11, 12].flatMap(onSeed);
    const done = inTurns(createBatch(jobs, 0, 2), [1, 1]);
    expect(runsOf(done.flat()).map(([job]) => job)).toEqual(jobs.map((_, job) => job));
    const seedsOf = (pieces: readonly RunResult[]) => [
      ...new Set(pieces.map(({ jobIndex }) => jobs[jobIndex].seeds[0])),
    ];
    expect(done.map((pieces) => seedsOf(pieces.slice(0, 20)))).toEqual([
      [7, 9],
      [8, 10],
    ]);
  });

  test("that is stopped begins no further run", () => {
    const batch = createBatch(jobsOf(10), 0, 1);
    const worker = drainBatch(evaluator, batch);
    worker.next();
    stopBatch(batch);
    // What runs is ended.
    expect(worker.next().value).toEqual({ jobIndex: 0, seedIndex: 0, outcome: outcomeOf(0, 7) });
    expect(worker.next().done).toBe(true);
    expect([...drainBatch(evaluator, batch)]).toEqual([]);
  });
});

describe("workers that share", () => {
  const worker =
    (each: (piece: RunResult) => Promise<void> = async () => {}) =>
    async (batch: Batch, report: (pieces: readonly RunResult[]) => void) => {
      for (const piece of drainBatch(evaluator, batch)) {
        if (piece === null) continue;
        await each(piece);
        report([piece]);
      }
    };
  const run = async (executor: Executor, jobs: readonly StudyJob[], signal = new AbortController().signal) => {
    const pieces: RunResult[] = [];
    await executor.run(jobs, (found) => pieces.push(...found), signal);
    return pieces;
  };
  const close = async () => {};

  test("run more than one batch, and name jobs by their place in the whole list", async () => {
    const jobs = jobsOf(...Array.from({ length: 900 }, (_, k) => 1 + (k % 4)));
    expect(createBatch(jobs, 0, 2).jobs.length).toBeLessThan(900);
    const pieces = await run(sharedExecutor([worker(), worker()], close), jobs);
    expect(runsOf(pieces)).toEqual(allRuns(jobs));
  });

  test("run nothing without jobs", async () => {
    expect(await run(sharedExecutor([worker(), worker()], close), [])).toEqual([]);
  });

  test("stop when one of them fails, with its reason, and report nothing more", async () => {
    const begun: number[] = [];
    const failing = worker(async ({ seedIndex }) => {
      begun.push(seedIndex);
      if (seedIndex === 3) throw new Error("energy went missing");
    });
    const pieces: RunResult[] = [];
    const executor = sharedExecutor([failing, failing], close);
    const report = (found: readonly RunResult[]) => pieces.push(...found);
    await expect(executor.run(jobsOf(12), report, new AbortController().signal)).rejects.toThrow("energy went missing");
    const reported = pieces.length;
    await turns();
    expect(pieces.length).toBe(reported);
    expect(Math.max(...begun)).toBeLessThan(11);
  });

  test("stop with the reason when their results cannot be stored", async () => {
    // As a thread does: by a message of its own.
    const reporting = async (batch: Batch, report: (pieces: readonly RunResult[]) => void) => {
      for (const piece of drainBatch(evaluator, batch))
        await new Promise<void>((done) =>
          setTimeout(() => {
            if (piece !== null) report([piece]);
            done();
          }, 1),
        );
    };
    let reports = 0;
    const full = () => {
      reports++;
      throw new Error("no space left on device");
    };
    const executor = sharedExecutor([reporting, reporting], close);
    await expect(executor.run(jobsOf(20), full, new AbortController().signal)).rejects.toThrow("no space left");
    await turns();
    expect(reports).toBe(1);
  });

  test("stop by the signal in the middle of a run of this thread", async () => {
    const interrupt = new AbortController();
    setTimeout(() => interrupt.abort(new Error("enough")), 1);
    const endless = {
      *slices(): Generator<null, never> {
        for (;;) yield null;
      },
    };
    const executor = sharedExecutor([createInlineWorker(endless)], close);
    await expect(run(executor, jobsOf(1), interrupt.signal)).rejects.toThrow("enough");
  });

  test("stop by the signal, and do not wait for running jobs", async () => {
    const interrupt = new AbortController();
    const endless = worker(() => new Promise(() => {}));
    const running = run(sharedExecutor([endless, endless], close), jobsOf(5), interrupt.signal);
    interrupt.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await expect(run(sharedExecutor([worker()], close), jobsOf(5), interrupt.signal)).rejects.toThrow("enough");
  });
});
