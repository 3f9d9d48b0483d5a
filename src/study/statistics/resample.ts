import type { RandomStream } from "../../engine/kernel/randomStreams.ts";

/**
 * One bootstrap resample of the seeds: as many draws with replacement as there are seeds.
 *
 * @returns how often each seed is drawn
 * @see Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7 (1979)
 */
export function drawSeedCounts(seedCount: number, stream: RandomStream): Uint32Array {
  const counts = new Uint32Array(seedCount);
  for (let k = 0; k < seedCount; k++) counts[Math.floor(stream.nextUniform() * seedCount)]++;
  return counts;
}
