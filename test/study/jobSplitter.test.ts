import { describe, expect, test } from "vitest";
import { type JobChunk, JobSplitter } from "../../src/study/node/queue/queueExecutor.ts";
import type { StudyJob } from "../../src/study/workers/executor.ts";

const jobsOf = (...seedCounts: number[]): StudyJob[] =>
  seedCounts.map((count, p) => ({ patch: { p }, seeds: Array.from({ length: count }, (_, k) => 100 * p + k) }));

/** Every parcel, with a reported duration of so many ms for every run and so many for itself. */
function all(parcels: JobSplitter, msPerRun: number, ms = 0): JobChunk[] {
  const found: JobChunk[] = [];
  for (let parcel = parcels.nextChunk(); parcel !== null; parcel = parcels.nextChunk()) {
    found.push(parcel);
    parcels.recordDuration(parcel.runs.length, ms + msPerRun * parcel.runs.length);
  }
  return found;
}

const sizes = (found: readonly JobChunk[]): number[] => found.map(({ runs }) => runs.length);

describe("parcels", () => {
  test.each([
    [jobsOf(6, 6, 6, 6), 1, 10],
    [jobsOf(1, 1, 1), 2, 1],
    [jobsOf(400), 1, 0.1],
    [jobsOf(3, 500, 1), 3, 0.1],
  ])("of %j hold every run once, in order", (jobs, workers, ms) => {
    const found = all(new JobSplitter(jobs, workers), ms);
    const places = jobs.flatMap(({ seeds }, jobIndex) => seeds.map((_, seedIndex) => ({ jobIndex, seedIndex })));
    expect(found.flatMap(({ runs }) => runs)).toEqual(places);
    // What travels is what is meant.
    for (const parcel of found)
      expect(parcel.jobs.flatMap(({ patch, seeds }) => seeds.map((seed) => [patch.p, seed]))).toEqual(
        parcel.runs.map(({ jobIndex, seedIndex }) => [jobIndex, jobs[jobIndex].seeds[seedIndex]]),
      );
  });

  test("are of one run until its duration is known, then of 200 ms", () => {
    const parcels = new JobSplitter(jobsOf(1000), 1);
    expect(sizes([parcels.nextChunk() as JobChunk, parcels.nextChunk() as JobChunk])).toEqual([1, 1]);
    parcels.recordDuration(1, 10);
    expect(parcels.nextChunk()?.runs.length).toBe(20);
    // The first of a worker reads the scenario too: that is forgotten.
    parcels.recordDuration(1, 3000);
    expect(parcels.nextChunk()?.runs.length).toBe(20);
  });

  test("are of one run if it takes long, and never of more than 256", () => {
    expect(new Set(sizes(all(new JobSplitter(jobsOf(50), 1), 800)))).toEqual(new Set([1]));
    expect(Math.max(...sizes(all(new JobSplitter(jobsOf(9000), 1), 0.01)))).toBe(256);
  });

  test("become smaller at the end, so that no worker waits long for the last one", () => {
    const found = sizes(all(new JobSplitter(jobsOf(800), 2), 0.1));
    expect(found[1]).toBe(99);
    expect(found.slice(-8)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });
});
