import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { isGapAfter, type MeasuredColumn, type MeasuredSite, type MeasuredTable } from "../measured/measuredSeries.ts";
import { type MinuteSamples, minuteAt } from "./simulatedSamples.ts";

/** How far the twin of a site is from what was measured; `null`: no sample determines it. */
export interface SiteError {
  readonly site: string;
  /** Mean of the absolute differences and of the differences (twin less measured), kW. */
  readonly kwMae: number | null;
  readonly kwBias: number | null;
  /** Of the time of instructions alone. */
  readonly kwMaeInOrders: number | null;
  /** Net energy of the twin less that measured, in % of the energy that flowed. */
  readonly kwhErrorPct: number | null;
  /** Percentage points. */
  readonly socMaePct: number | null;
  readonly socEndErrorPct: number | null;
  /** Samples of power. */
  readonly rows: number;
}

/** Samples at which the measurement and the twin have a value. */
interface Pairs {
  /** Rows of the table. */
  readonly rows: number[];
  readonly atMs: number[];
  readonly measured: number[];
  readonly twin: number[];
  readonly hours: number[];
}

/** The period from which minutes count. */
interface Started {
  readonly startMs: EpochMs;
}

/**
 * @param isInOrder  whether an instruction of the site's VPPs runs, for measurements without dispatched deltas
 */
export function siteError(
  { site, main }: MeasuredSite,
  twin: MinuteSamples,
  period: Started,
  isInOrder: (atMs: EpochMs) => boolean,
): SiteError {
  const power = pairsOf(main, "current_kw", twin.currentKw, period);
  const soc = pairsOf(main, "soc", twin.socPct, period);
  const deltas = main.columns.get("dispatched_delta_kw");
  const inOrders = power.atMs.map((atMs, k) =>
    // NaN and 0: no instruction changes the power.
    deltas === undefined ? isInOrder(atMs) : Math.abs(deltas[power.rows[k]]) > 0,
  );
  const differences = power.twin.map((kw, k) => kw - power.measured[k]);
  const flowedKwh = sumProduct(power.measured.map(Math.abs), power.hours);
  return {
    site,
    kwMae: meanOrNull(differences.map(Math.abs)),
    kwBias: meanOrNull(differences),
    kwMaeInOrders: meanOrNull(differences.filter((_, k) => inOrders[k]).map(Math.abs)),
    kwhErrorPct: flowedKwh > 0 ? (100 * sumProduct(differences, power.hours)) / flowedKwh : null,
    socMaePct: meanOrNull(soc.twin.map((pct, k) => Math.abs(pct - soc.measured[k]))),
    socEndErrorPct: soc.twin.length === 0 ? null : (soc.twin.at(-1) ?? 0) - (soc.measured.at(-1) ?? 0),
    rows: differences.length,
  };
}

/** Errors of the sum of all sites, at the samples that all have. */
export function totalError(
  sites: readonly { readonly measured: MeasuredSite; readonly twin: MinuteSamples }[],
  period: Started,
): Pick<SiteError, "kwMae" | "kwhErrorPct"> {
  const sums = new Map<number, { count: number; measured: number; twin: number; hours: number }>();
  for (const { measured, twin } of sites) {
    const pairs = pairsOf(measured.main, "current_kw", twin.currentKw, period);
    pairs.atMs.forEach((atMs, k) => {
      const sum = sums.get(atMs) ?? { count: 0, measured: 0, twin: 0, hours: pairs.hours[k] };
      sum.count++;
      sum.measured += pairs.measured[k];
      sum.twin += pairs.twin[k];
      sums.set(atMs, sum);
    });
  }
  const whole = [...sums.values()].filter(({ count }) => count === sites.length);
  const hours = whole.map((sum) => sum.hours);
  const differences = whole.map((sum) => sum.twin - sum.measured);
  const flowedKwh = sumProduct(
    whole.map((sum) => Math.abs(sum.measured)),
    hours,
  );
  return {
    kwMae: meanOrNull(differences.map(Math.abs)),
    kwhErrorPct: flowedKwh > 0 ? (100 * sumProduct(differences, hours)) / flowedKwh : null,
  };
}

/** A mean of an interval is compared with the mean of the twin's minutes in it. */
function pairsOf(table: MeasuredTable, column: MeasuredColumn, twin: Float64Array, { startMs }: Started): Pairs {
  const pairs: Pairs = { rows: [], atMs: [], measured: [], twin: [], hours: [] };
  const { timesMs, spacingMs, label } = table;
  const values = table.columns.get(column);
  for (let row = 0; values !== undefined && row < timesMs.length; row++) {
    const first = minuteAt(timesMs[row], startMs);
    const end = label === "mean" ? Math.max(first + 1, minuteAt(timesMs[row] + spacingMs, startMs)) : first + 1;
    if (first < 0 || twin.length < end) continue;
    const twinValue = meanOrNull([...twin.subarray(first, end)]) ?? Number.NaN;
    if (Number.isNaN(values[row]) || Number.isNaN(twinValue)) continue;
    const isLast = row + 1 === timesMs.length || isGapAfter(table, row);
    pairs.rows.push(row);
    pairs.atMs.push(timesMs[row]);
    pairs.measured.push(values[row]);
    pairs.twin.push(twinValue);
    pairs.hours.push((isLast ? spacingMs : timesMs[row + 1] - timesMs[row]) / MS_PER_HOUR);
  }
  return pairs;
}

const sumProduct = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, k) => sum + value * b[k], 0);

const meanOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
