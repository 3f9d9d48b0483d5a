import type { RandomStream } from "../../engine/kernel/randomStreams.ts";

/**
 * One bootstrap resample of the seeds: as many draws with replacement as there are seeds.
 *
 * @returns indices of seeds
 * @see Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7 (1979)
 */
export const drawSeeds = (seedCount: number, stream: RandomStream): number[] =>
  Array.from({ length: seedCount }, () => Math.floor(stream.nextUniform() * seedCount));
