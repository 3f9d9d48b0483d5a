import type { Cause } from "../../../client/sandboxTypes.ts";

/** Instants in a chart are epoch seconds, as uPlot has them. */
export interface ChartLine {
  readonly label: string;
  readonly unit: string;
  /** One value per instant; `null`: no value, never joined over. */
  readonly values: readonly (number | null)[];
  /** Name of a colour token. */
  readonly colour: string;
  readonly shape: "line" | "step";
  readonly isDashed?: boolean;
  readonly isFilled?: boolean;
}

/** Missing power of one cause: a hatched area that begins at a base line. */
interface ChartCause {
  readonly cause: Cause;
  readonly label: string;
  /** kW, at least 0. */
  readonly values: readonly (number | null)[];
}

/** An award above the plot. */
export interface ChartBlock {
  readonly fromS: number;
  readonly toS: number;
  readonly label: string;
}

/** Something that happened, or a notice. */
interface ChartMark {
  readonly atS: number;
  readonly text: string;
}

/** A horizontal limit over a period. */
export interface ChartLimit {
  readonly fromS: number;
  readonly toS: number;
  readonly value: number;
  readonly label: string;
}

/** Everything that a chart shows. */
export interface ChartSpec {
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** Stacked from the first line towards zero. */
  readonly causes: readonly ChartCause[];
  readonly blocks: readonly ChartBlock[];
  readonly marks: readonly ChartMark[];
  readonly limits: readonly ChartLimit[];
  readonly unit: string;
  /** Whether blocks and marks have a place above the plot, also while there are none. */
  readonly hasHead: boolean;
  /** Fixed range of values; `null`: as the values need, with zero. */
  readonly range: readonly [number, number] | null;
  readonly fromS: number;
  readonly toS: number;
  /** The present instant; what lies after it is promised, not measured. */
  readonly nowS: number;
}

/** Row of each block, so that blocks that overlap lie above each other; the first row is the lowest free. */
export function blockRows(blocks: readonly ChartBlock[]): readonly number[] {
  const endOfRow: number[] = [];
  return blocks.map(({ fromS, toS }) => {
    const free = endOfRow.findIndex((endS) => endS <= fromS);
    const row = free < 0 ? endOfRow.length : free;
    endOfRow[row] = toS;
    return row;
  });
}

/** Index of the last instant not after one; -1 before the first. */
export function lastIndexAt(times: readonly number[], atS: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= atS) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Period between two instants in which a value stays the same, for areas with few rectangles. */
interface ConstantRun {
  readonly from: number;
  /** Index of the first other value, or of the last instant. */
  readonly to: number;
}

/** Runs of indices in which all columns stay the same. */
export function constantRuns(length: number, isSame: (a: number, b: number) => boolean): ConstantRun[] {
  const runs: ConstantRun[] = [];
  for (let from = 0; from + 1 < length; ) {
    let to = from + 1;
    while (to + 1 < length && isSame(from, to)) to++;
    runs.push({ from, to });
    from = to;
  }
  return runs;
}

/** A range that has zero in it and a margin. */
export function rangeWithZero(low: number | null, high: number | null): [number, number] {
  const [min, max] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  const margin = 0.08 * (max - min || 1);
  return [min < 0 ? min - margin : 0, max > 0 || min === 0 ? max + margin : 0];
}

/** A limit on the canvas, the line of the present instant, and its label with the gaps beside it, in pixels from the left. */
interface LimitLabel {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly width: number;
  readonly gap: number;
}

/**
 * Right edge of the label of a limit: at the end of the limit, or at its start where it would lie over the line of the present
 * instant; `null` if neither place has room for it.
 */
export function limitLabelRight({ from, to, now, width, gap }: LimitLabel): number | null {
  const space = width + 2 * gap;
  const places = [to - space, from].filter((left) => from <= left && left + space <= to);
  const left = places.find((place) => now <= place || place + space <= now);
  return left === undefined ? null : left + gap + width;
}
