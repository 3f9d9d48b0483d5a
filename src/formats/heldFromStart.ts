import type { SeriesColumn, SeriesTable } from "./fileFormat.ts";

/**
 * A column as a scenario uses it: readings at the ends of intervals hold from the start of the first interval, so that a run
 * may start with the file (docs/model/formats.md#weather).
 */
export function heldFromStart(column: SeriesColumn, { columns }: SeriesTable): SeriesColumn {
  const { timesMs, values, lines, label } = column;
  const startMs = columns.find((other) => other.label === "start")?.timesMs[0];
  if (label !== "instant" || startMs === undefined || timesMs[0] <= startMs) return column;
  return {
    ...column,
    timesMs: prepended(startMs, timesMs, new Float64Array(1 + timesMs.length)),
    values: prepended(values[0], values, new Float64Array(1 + timesMs.length)),
    lines: prepended(lines[0], lines, new Int32Array(1 + timesMs.length)),
  };
}

function prepended<T extends Float64Array | Int32Array>(first: number, rest: T, target: T): T {
  target[0] = first;
  target.set(rest, 1);
  return target;
}
