import { largestOf } from "../../base/lists.ts";
import type { EpochMs } from "../../base/time.ts";

interface ColumnRange {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

const KW: ColumnRange = { min: -1e9, max: 1e9, unit: "kW" };
const KWH: ColumnRange = { min: 0, max: 1e9, unit: "kWh" };
/** Pyranometers show a little below 0 at night, and more than the sun beside bright clouds. */
const IRRADIANCE: ColumnRange = { min: -50, max: 2_000, unit: "W/m²" };
/** Recorded states of charge exceed their bounds by rounding and calibration. */
const SOC: ColumnRange = { min: -5, max: 105, unit: "%" };

/** Columns of numbers, by the names and signs of the history of the APIs (docs/model/twin.md#measured-files). */
const NUMBER_COLUMNS = {
  current_kw: KW,
  baseline_kw: KW,
  dispatched_delta_kw: KW,
  setpoint_kw: KW,
  import_kwh: KWH,
  export_kwh: KWH,
  soc: SOC,
  actual_frequency: { min: 40, max: 70, unit: "Hz" },
  fcr_response_kw: { min: 0, max: 1e9, unit: "kW" },
  irradiance_w_m2: IRRADIANCE,
  ghi_w_m2: IRRADIANCE,
  temp_air_c: { min: -90, max: 70, unit: "°C" },
  wind_m_s: { min: 0, max: 120, unit: "m/s" },
  output_control_limit: { min: 0, max: 100, unit: "%" },
  dr_active: { min: 0, max: 1, unit: "0 or 1" },
  status: { min: 0, max: 99, unit: "a code" },
} as const satisfies Readonly<Record<string, ColumnRange>>;

export type NumberColumn = keyof typeof NUMBER_COLUMNS;

export const isNumberColumn = (name: string): name is NumberColumn => Object.hasOwn(NUMBER_COLUMNS, name);

/** `active_sku` holds positions in `SKUS`, and behind them `mixed`. */
export type MeasuredColumn = NumberColumn | "active_sku";

export const MEASURED_COLUMNS: readonly MeasuredColumn[] = [
  ...(Object.keys(NUMBER_COLUMNS) as NumberColumn[]),
  "active_sku",
];

export const rangeOf = (column: NumberColumn): ColumnRange => NUMBER_COLUMNS[column];

/** Rows of one site at one spacing. */
export interface MeasuredTable {
  /** `mean`: values are means of the interval that begins at the stamp. */
  readonly label: "instant" | "mean";
  /** Usual distance of two rows. */
  readonly spacingMs: number;
  /** Ascending. */
  readonly timesMs: Float64Array;
  /** Values by row; NaN: no value. Columns without any value are absent. */
  readonly columns: ReadonlyMap<MeasuredColumn, Float64Array>;
}

/** What was measured at one site. */
export interface MeasuredSite {
  readonly site: string;
  /** The table that covers most time. */
  readonly main: MeasuredTable;
  /** The table of the smallest spacing, where it is 2 s or less; may be `main`. */
  readonly fine: MeasuredTable | null;
  /** All of them, from the coarsest to the finest. */
  readonly tables: readonly MeasuredTable[];
}

/** Rows of one value at least this many spacings apart enclose a gap. */
export const GAP_SPACINGS = 3;

/** Response times show at this spacing or below. */
const FINE_MAX_MS = 2_000;

export const isGapAfter = ({ timesMs, spacingMs }: MeasuredTable, row: number): boolean =>
  timesMs[row + 1] - timesMs[row] > GAP_SPACINGS * spacingMs;

/** Until when the value of a row holds: until the next row, or for a spacing where none follows or a gap does. */
export const endOf = (table: MeasuredTable, row: number): EpochMs =>
  row + 1 === table.timesMs.length || isGapAfter(table, row)
    ? table.timesMs[row] + table.spacingMs
    : table.timesMs[row + 1];

/** The first row at or after an instant. */
export function rowAt({ timesMs }: MeasuredTable, atMs: EpochMs): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timesMs[middle] < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Median distance of two rows; a minute for a single row. */
export function spacingOf(timesMs: Float64Array): number {
  if (timesMs.length < 2) return 60_000;
  const distances = timesMs.subarray(1).map((atMs, k) => atMs - timesMs[k]);
  return distances.sort()[(distances.length - 1) >> 1];
}

export function measuredSite(site: string, tables: readonly MeasuredTable[]): MeasuredSite {
  const sorted = [...tables].sort((a, b) => b.spacingMs - a.spacingMs || a.timesMs[0] - b.timesMs[0]);
  const coverage = ({ timesMs, spacingMs }: MeasuredTable) => timesMs.length * spacingMs;
  const most = largestOf(sorted.map(coverage));
  const finest = sorted[sorted.length - 1];
  const main = sorted.find((table) => coverage(table) === most) ?? finest;
  return { site, main, fine: finest.spacingMs <= FINE_MAX_MS ? finest : null, tables: sorted };
}

/** The rows of a period, which is half-open; `null` where there is none. */
export function siteWithin({ site, tables }: MeasuredSite, fromMs: EpochMs, toMs: EpochMs): MeasuredSite | null {
  const within = tables.flatMap((table) => {
    const [from, to] = [rowAt(table, fromMs), rowAt(table, toMs)];
    const part = (values: Float64Array) => values.subarray(from, to);
    const columns = new Map([...table.columns].map(([name, values]) => [name, part(values)]));
    return from < to ? [{ ...table, timesMs: part(table.timesMs), columns }] : [];
  });
  return within.length === 0 ? null : measuredSite(site, within);
}
