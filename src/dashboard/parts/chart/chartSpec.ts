import type { Cause } from "../../../api/client/sandboxTypes.ts";

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

/** Missing power of one cause between two instants: a quadrilateral whose edges lie at values of the vertical axis. */
export interface CauseArea {
  /** Index of the cause. */
  readonly cause: number;
  readonly fromS: number;
  readonly toS: number;
  /** Edge nearer to the request, then the one nearer to zero, at either instant. */
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/**
 * Missing power stacked from the first line towards zero, in few areas. While the first line stays as it is, an edge goes straight
 * from value to value, as the line of the delivered power does.
 */
export function causeAreas({ times, lines, causes }: Pick<ChartSpec, "times" | "lines" | "causes">): CauseArea[] {
  const base = lines[0].values;
  const columns = [base, ...causes.map(({ values }) => values)];
  const isSame = (a: number, b: number) => columns.every((column) => column[a] === column[b]);
  const areas: CauseArea[] = [];
  const add = (from: number, to: number, endsAs: number) => {
    const [edges, ends] = [edgesAt(from), edgesAt(endsAs)];
    causes.forEach((_, k) => {
      const area = { from: [edges[k], edges[k + 1]], to: [ends[k], ends[k + 1]] } as const;
      const isEmpty = area.from[0] === area.from[1] && area.to[0] === area.to[1];
      if (!isEmpty) areas.push({ cause: k, fromS: times[from], toS: times[to], ...area });
    });
  };
  /** The request, then what is left of it after each cause. */
  const edgesAt = (k: number): number[] => {
    const edges = [base[k] ?? 0];
    for (const { values } of causes) edges.push(edges[edges.length - 1] - Math.sign(base[k] ?? 0) * (values[k] ?? 0));
    return edges;
  };
  const isKnown = (k: number) => causes.every(({ values }) => values[k] !== null);
  for (let from = 0; from + 1 < times.length; ) {
    let last = from;
    while (last + 1 < times.length && isSame(from, last + 1)) last++;
    if (from < last) add(from, last, from);
    const next = last + 1;
    if (next < times.length) add(last, next, base[next] === base[last] && isKnown(next) ? next : last);
    from = next;
  }
  return areas;
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
