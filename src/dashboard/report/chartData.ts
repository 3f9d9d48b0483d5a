import type { BandJson, BinsJson, ChartJson, ChartsJson, PolylineJson } from "../../report/html/charts/chartJson.ts";
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

/** A band in the page: values by bin. */
export interface Band {
  readonly label: string;
  readonly unit: string;
  readonly startMs: number;
  readonly binMs: number;
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  readonly mean: readonly (number | null)[];
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
}

const dataByScript = new Map<Element, BinsJson>();

function binsOf(script: Element): BinsJson {
  const known = dataByScript.get(script) ?? (JSON.parse(script.textContent ?? "") as BinsJson);
  dataByScript.set(script, known);
  return known;
}

/** The band over the series of a figure's script. */
export function readBand({ label, unit, kind, names }: BandJson, figure: HTMLElement): Band | null {
  const script = figure.querySelector(`script[data-series="${kind}"]`);
  if (script === null) return null;
  const { start, bin_ms, mean, series } = binsOf(script);
  const shown = names.length === 0 ? series : series.filter(({ name }) => names.includes(name));
  if (shown.length === 0) return null;
  const [first] = shown;
  const combined = (side: "min" | "max"): readonly (number | null)[] =>
    first[side].map((_, k) => {
      const values = shown.map((one) => one[side][k]).filter((value) => value !== null);
      return values.length === 0 ? null : Math[side](...values);
    });
  const { low, high } = first;
  return {
    label,
    unit,
    startMs: start,
    binMs: bin_ms,
    min: combined("min"),
    max: combined("max"),
    mean: mean ?? first.mean ?? [],
    ...(shown.length === 1 && low !== undefined && high !== undefined ? { low, high } : {}),
  };
}

/** The bin of an instant. */
export const binAt = ({ startMs, binMs }: Band, atMs: number): number => Math.floor((atMs - startMs) / binMs);

/** Steps of a band for the plot: instants, then lowest, highest, bounds of the middle, mean. */
export function stepsOfBand(band: Band, { min, max }: Period): [number[], ...(number | null)[][]] {
  const columns = [
    band.min,
    band.max,
    ...(band.low === undefined || band.high === undefined ? [] : [band.low, band.high]),
    band.mean,
  ];
  const x: number[] = [];
  const values: (number | null)[][] = columns.map(() => []);
  band.min.forEach((_, k) => {
    const from = Math.max(min, band.startMs + k * band.binMs);
    // A step ends half a millisecond before the next one, the last one at the end of the axis.
    const to = Math.min(max, band.startMs + (k + 1) * band.binMs - 0.5);
    x.push(from, to);
    columns.forEach((column, c) => values[c].push(column[k] ?? null, column[k] ?? null));
  });
  return [x, ...values];
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
