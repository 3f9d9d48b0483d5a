import type { RandomStream } from "../../engine/kernel/randomStreams.ts";
import { drawSeeds } from "../../study/statistics/resample.ts";
import type { FitOptions } from "./siteInput.ts";

/** Fewer blocks than this have no distribution: their range stands for it. */
const BLOCKS_MIN = 5;

interface Resampling {
  readonly count: number;
  readonly stream: RandomStream;
}

/** Samples of items with replacement. */
interface Resamples<Item> {
  readonly samples: readonly (readonly Item[])[];
  /** Said with the interval where there are too few blocks; else `undefined`. */
  readonly note: string | undefined;
}

/**
 * Moving blocks of a sequence, which is closed to a ring so that its ends are drawn as often as the rest. Of fewer than five
 * blocks, each is a sample of its own.
 *
 * @param items     in order of time
 * @param perBlock  items that depend on each other, at least 1
 * @see Politis and Romano, A circular block-resampling procedure for stationary data (1992)
 */
export function movingBlocks<Item>(
  items: readonly Item[],
  perBlock: number,
  purpose: string,
  { resamples, streamOf }: FitOptions,
): Resamples<Item> {
  const stream = streamOf(purpose);
  const blockCount = Math.max(1, Math.round(items.length / perBlock));
  const blockAt = (start: number): Item[] =>
    Array.from({ length: perBlock }, (_, k) => items[(start + k) % items.length]);
  if (blockCount < BLOCKS_MIN)
    return {
      samples: Array.from({ length: blockCount }, (_, k) => blockAt(k * perBlock)),
      note: fewBlocks(blockCount),
    };
  const samples = Array.from({ length: resamples }, () =>
    Array.from({ length: blockCount }, () => blockAt(Math.floor(stream.nextUniform() * items.length)))
      .flat()
      .slice(0, items.length),
  );
  return { samples, note: undefined };
}

/** Whole groups of items, such as days or events, drawn as they are. Of fewer than five, each is a sample of its own. */
export function groupSamples<Item>(
  groups: readonly (readonly Item[])[],
  { count, stream }: Resampling,
): Resamples<Item> {
  if (groups.length < BLOCKS_MIN) return { samples: groups, note: fewBlocks(groups.length) };
  const samples = Array.from({ length: count }, () => drawSeeds(groups.length, stream).flatMap((k) => groups[k]));
  return { samples, note: undefined };
}

/** Groups of one item, such as events. */
export const eventSamples = <Item>(
  events: readonly Item[],
  purpose: string,
  { resamples, streamOf }: FitOptions,
): Resamples<Item> =>
  groupSamples(
    events.map((event) => [event]),
    { count: resamples, stream: streamOf(purpose) },
  );

const fewBlocks = (count: number): string =>
  `the interval is the range of ${count} ${count === 1 ? "block" : "blocks"}: fewer than ${BLOCKS_MIN} have no distribution`;
