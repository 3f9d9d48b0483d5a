import type { ChartJson, ChartsJson, PolylineJson } from "../../report/html/charts/chartJson.ts";
import { lastIndexAt } from "../parts/chart/chartSpec.ts";

export interface Polyline {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

/** Inverse of `encodePolyline`. */
export function decodePolyline({ unitMs, data }: PolylineJson): Polyline {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  let next = 0;
  const readInteger = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[next++];
      value += (byte & 127) * factor;
      if (byte < 128) return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    }
  };
  const at: number[] = [];
  const values: number[] = [];
  let [lastAt, lastValue] = [0, 0];
  while (next < bytes.length) {
    lastAt += readInteger();
    lastValue += readInteger();
    at.push(lastAt * unitMs);
    values.push(lastValue / 10);
  }
  return { at, values };
}

/** Value on the line between two points; at a jump the value after it. */
export function valueAt({ at, values }: Polyline, atMs: number): number | null {
  const k = lastIndexAt(at, atMs);
  if (k < 0) return null;
  if (k + 1 === at.length) return at[k] === atMs ? values[k] : null;
  return values[k] + ((values[k + 1] - values[k]) * (atMs - at[k])) / (at[k + 1] - at[k]);
}

/** One instant axis for all curves; a jump becomes two instants half a millisecond apart. */
export function alignCurves(polylines: readonly Polyline[]): [number[], ...(number | null)[][]] {
  const instants = new Set<number>();
  for (const { at } of polylines)
    at.forEach((atMs, k) => {
      instants.add(atMs);
      if (k > 0 && at[k - 1] === atMs) instants.add(atMs - 0.5);
    });
  const x = [...instants].sort((a, b) => a - b);
  return [x, ...polylines.map((polyline) => x.map((atMs) => valueAt(polyline, atMs)))];
}

/** A row of blocks above the plot. */
interface Row {
  readonly title: string;
  readonly heightPx: number;
  readonly blocks: readonly {
    readonly fromMs: number;
    readonly toMs: number;
    readonly colour: string;
    readonly label: string;
    /** Label and note in one line. */
    readonly text: string;
  }[];
}

/** Inverse of `rowToJson`. */
function decodeRows({ start, rows, colours }: ChartsJson): Row[] {
  return rows.map(({ title, heightPx, unitMs, blocks }) => {
    let at = 0;
    return {
      title,
      heightPx,
      blocks: blocks.map(([gap, length, colour, label, note]) => {
        const from = at + gap;
        at = from + length;
        const name = label.replace("\n", " ");
        return {
          fromMs: start + from * unitMs,
          toMs: start + at * unitMs,
          colour: colours[colour],
          label,
          text: note === undefined ? name : `${name} (${note})`,
        };
      }),
    };
  });
}

/** Epoch milliseconds. */
export interface Period {
  readonly min: number;
  readonly max: number;
}

export interface Chart extends Omit<ChartJson, "rows" | "shades"> {
  readonly rows: readonly Row[];
  readonly shades: readonly {
    readonly fromMs: number;
    readonly toMs: number;
    readonly from: readonly [number, number];
    readonly to: readonly [number, number];
    readonly colour: string;
    readonly label: string;
  }[];
}

/** Rows of blocks by figure: the charts of sites share those of their VPP. */
const rowsByFigure = new Map<string, readonly Row[]>();

/** The charts of a figure. */
export function chartsOf(data: ChartsJson, figureId: string): readonly Chart[] {
  const own = decodeRows(data);
  rowsByFigure.set(figureId, own);
  return data.charts.map((chart) => ({
    ...chart,
    rows: chart.rows.flatMap((place) =>
      typeof place === "number" ? own[place] : (rowsByFigure.get(place[0])?.[place[1]] ?? []),
    ),
    shades: chart.shades.map(([fromMs, toMs, from, to, colour, label]) => {
      return { fromMs, toMs, from, to, colour: data.colours[colour], label };
    }),
  }));
}
