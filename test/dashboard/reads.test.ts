import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Reads } from "../../src/dashboard/data/reads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A resource whose requests the test answers with their number. */
function watched(reads: Reads) {
  const answers: (() => void)[] = [];
  const load = () => new Promise<number>((resolve) => answers.push(() => resolve(answers.length)));
  const stop = reads.watch("a", load, 1_000, () => {});
  const answer = async () => {
    answers.at(-1)?.();
    await vi.advanceTimersByTimeAsync(1);
  };
  return { answers, answer, stop };
}

test("a refresh repeats a request that was in flight, whose answer may be older than the change", async () => {
  const reads = new Reads();
  const { answers, answer, stop } = watched(reads);
  reads.refresh();
  expect(answers).toHaveLength(1);
  await answer();
  expect(answers).toHaveLength(2);
  await answer();
  expect(answers).toHaveLength(2);
  expect(reads.resource("a")).toEqual({ value: 2, error: null });
  stop();
});

test("frequent changes refresh at most once a second", async () => {
  const reads = new Reads();
  const { answers, answer, stop } = watched(reads);
  await answer();
  for (let k = 0; k < 30; k++) {
    reads.refreshSoon();
    await vi.advanceTimersByTimeAsync(100);
    await answer();
  }
  expect(answers.length).toBeGreaterThan(2);
  expect(answers.length).toBeLessThanOrEqual(5);
  stop();
});
