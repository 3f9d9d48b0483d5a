import { largestOf, smallestOf } from "../../base/lists.ts";
import { type EpochMs, floorToHalfHour, MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from "../../base/time.ts";
import { GAP_SPACINGS, type MeasuredSite, type MeasuredTable } from "../measured/measuredSeries.ts";
import { BOUND_POINTS, NOISE_SIGMAS, type Rest, targetsOf } from "./rest.ts";
import { tableWith, valuesOf } from "./siteInput.ts";
import type { Response } from "./steps.ts";

/** Energies of the cells at the AC side, and what the state of charge did. Shares are 0 to 1. */
export interface EnergyWindow {
  readonly inKwh: number;
  readonly outKwh: number;
  /** Time in which it charges and discharges. */
  readonly inHours: number;
  readonly outHours: number;
  readonly days: number;
  readonly idleDays: number;
  readonly socChange: number;
  readonly meanSocFraction: number;
  /** Whether a bound ended a pulse in it, so that its energy is known to half a spacing only. */
  readonly hasStop: boolean;
}

const WINDOW_MS = 2 * MS_PER_HOUR;
const EDGE_CHOICE_MS = 0.5 * MS_PER_HOUR;

export const energyTable = (measured: MeasuredSite): MeasuredTable | null =>
  tableWith(measured, "soc", "current_kw") ?? tableWith(measured, "soc", "import_kwh", "export_kwh");

type RestPower = Pick<Rest, "auxiliaryKw" | "noiseKw">;

/** Windows of two hours without a gap (docs/model/twin.md#energy-balance). */
export function energyWindows(table: MeasuredTable, rest: RestPower, response: Response): EnergyWindow[] {
  const soc = valuesOf(table, "soc");
  const flows = cellFlows(table, rest, response);
  const { timesMs } = table;
  const rows = Int32Array.from(timesMs.keys()).filter((row) => !Number.isNaN(soc[row]) && flows.isKnown(row));
  const edges = windowEdges(rows, table, flows, changeDistancesMs(rows, table, rest));
  return edges.map(([first, last]) => {
    const sums: Sums = { inKwMs: 0, outKwMs: 0, inMs: 0, outMs: 0, idleMs: 0 };
    let socMs = 0;
    let hasStop = false;
    for (let k = first; k < last; k++) {
      const [from, to] = [rows[k], rows[k + 1]];
      flows.add(sums, from, to);
      hasStop ||= flows.isStopped(from, to);
      socMs += ((soc[from] + soc[to]) / 200) * (timesMs[to] - timesMs[from]);
    }
    const spanMs = timesMs[rows[last]] - timesMs[rows[first]];
    return {
      inKwh: sums.inKwMs / MS_PER_HOUR,
      outKwh: sums.outKwMs / MS_PER_HOUR,
      inHours: sums.inMs / MS_PER_HOUR,
      outHours: sums.outMs / MS_PER_HOUR,
      days: spanMs / MS_PER_DAY,
      idleDays: sums.idleMs / MS_PER_DAY,
      socChange: (soc[rows[last]] - soc[rows[first]]) / 100,
      meanSocFraction: socMs / spanMs,
      hasStop,
    };
  });
}

/** A window if the auxiliaries draw so much more. */
export const withAuxiliaries = (window: EnergyWindow, moreKw: number): EnergyWindow => ({
  ...window,
  inKwh: window.inKwh - moreKw * window.inHours,
  outKwh: window.outKwh + moreKw * window.outHours,
});

/** First and last place in `rows` of each window. Edges lie as far from changes of power as half an hour of choice allows. */
function windowEdges(
  rows: Int32Array,
  { timesMs, spacingMs }: MeasuredTable,
  flows: CellFlows,
  distancesMs: Float64Array,
): (readonly [number, number])[] {
  const edges: (readonly [number, number])[] = [];
  let first = -1;
  let best = -1;
  let openMs = Number.NaN;
  for (let k = 0; k < rows.length; k++) {
    const atMs = timesMs[rows[k]];
    const isGap =
      k > 0 && (atMs - timesMs[rows[k - 1]] > GAP_SPACINGS * spacingMs || !flows.reaches(rows[k - 1], rows[k]));
    if (k === 0 || isGap) {
      first = -1;
      best = k;
      openMs = atMs;
    }
    if (atMs < openMs) continue;
    if (best < 0 || distancesMs[best] < distancesMs[k]) best = k;
    if (atMs < openMs + EDGE_CHOICE_MS && k + 1 < rows.length) continue;
    if (first >= 0) edges.push([first, best]);
    first = best;
    openMs = timesMs[rows[best]] + WINDOW_MS;
    best = -1;
  }
  return edges;
}

/**
 * Time to the nearest change of power. Samples give the instant of a change to one spacing. That error is the same for all changes,
 * and cancels between windows unless their edges have changes on one side alone, as at the half hours of a market.
 */
function changeDistancesMs(rows: Int32Array, table: MeasuredTable, { noiseKw }: Pick<Rest, "noiseKw">): Float64Array {
  const currentKw = table.columns.get("current_kw");
  const distances = new Float64Array(rows.length).fill(Number.POSITIVE_INFINITY);
  if (currentKw === undefined) return distances;
  const sameKw = steadyKw(currentKw, noiseKw);
  const atOf = (k: number): number => table.timesMs[rows[k]];
  const isChange = (k: number): boolean => sameKw < Math.abs(currentKw[rows[k]] - currentKw[rows[k - 1]]);
  let changeMs = Number.NEGATIVE_INFINITY;
  for (let k = 1; k < rows.length; k++) {
    if (isChange(k)) changeMs = atOf(k);
    distances[k] = atOf(k) - changeMs;
  }
  changeMs = Number.POSITIVE_INFINITY;
  for (let k = rows.length - 1; k > 0; k--) {
    distances[k] = Math.min(distances[k], changeMs - atOf(k));
    if (isChange(k)) changeMs = atOf(k - 1);
  }
  return distances;
}

/** Of the largest power: a change. */
const STEADY_SHARE = 0.01;

/** Largest difference of two powers that are the same. */
const steadyKw = (currentKw: Float64Array, noiseKw: number): number =>
  Math.max(2 * NOISE_SIGMAS * noiseKw, STEADY_SHARE * largestOf(currentKw.map((kw) => Math.abs(kw) || 0)));

interface Sums {
  inKwMs: number;
  outKwMs: number;
  inMs: number;
  outMs: number;
  idleMs: number;
}

/** Energies between two rows that follow each other. */
interface CellFlows {
  isKnown(row: number): boolean;
  reaches(from: number, to: number): boolean;
  /** Whether a bound of the state of charge ended a pulse, at an instant that the rows do not tell. */
  isStopped(from: number, to: number): boolean;
  add(sums: Sums, from: number, to: number): void;
}

/** By counters where they have a value in most rows, else by samples of power. */
function cellFlows(table: MeasuredTable, rest: RestPower, response: Response): CellFlows {
  const [importKwh, exportKwh] = [valuesOf(table, "import_kwh"), valuesOf(table, "export_kwh")];
  const counted = importKwh.filter((kwh, row) => !Number.isNaN(kwh + exportKwh[row])).length;
  return counted > 0.9 * importKwh.length
    ? counterFlows(table, importKwh, exportKwh, rest)
    : sampleFlows(table, valuesOf(table, "current_kw"), rest, response);
}

function counterFlows(
  { timesMs, spacingMs }: MeasuredTable,
  importKwh: Float64Array,
  exportKwh: Float64Array,
  { auxiliaryKw, noiseKw }: RestPower,
): CellFlows {
  return {
    isKnown: (row) => !Number.isNaN(importKwh[row] + exportKwh[row]),
    reaches: (from, to) => timesMs[to] - timesMs[from] < 1.5 * spacingMs,
    isStopped: () => false,
    add(sums, from, to) {
      const spanMs = timesMs[to] - timesMs[from];
      // With both directions in one interval, the auxiliaries are half in each.
      const isMixed = importKwh[from] > 0 && exportKwh[from] > 0;
      const share = isMixed ? 0.5 : exportKwh[from] > 0 ? 0 : 1;
      const inKwMs = importKwh[from] * MS_PER_HOUR - share * auxiliaryKw * spanMs;
      const outKwMs = exportKwh[from] * MS_PER_HOUR + (1 - share) * auxiliaryKw * spanMs;
      const isIdle = Math.abs(inKwMs - outKwMs) < Math.max(1e-9, NOISE_SIGMAS * noiseKw) * spanMs && !isMixed;
      if (isIdle) sums.idleMs += spanMs;
      else {
        sums.inKwMs += Math.max(0, inKwMs);
        sums.outKwMs += outKwMs + Math.max(0, -inKwMs);
        sums.inMs += share * spanMs;
        sums.outMs += (1 - share) * spanMs;
      }
    },
  };
}

/**
 * Between two samples the power is their mean. Where the set-point changes, the old power flows until then and as long as the battery takes
 * to follow, and the new one from there on.
 */
function sampleFlows(
  table: MeasuredTable,
  currentKw: Float64Array,
  { auxiliaryKw, noiseKw }: RestPower,
  { delayMs, rampKwPerS }: Response,
): CellFlows {
  const { timesMs, label } = table;
  const targetKw = targetsOf(table);
  const isChanged = targetKw.map((kw, row) => (row > 0 && Math.abs(kw - targetKw[row - 1]) > 0 ? 1 : 0));
  const sameKw = steadyKw(currentKw, noiseKw);
  const cellKw = currentKw.map((kw) => {
    const cells = kw - auxiliaryKw;
    return Math.abs(cells) < Math.max(1e-9, NOISE_SIGMAS * noiseKw) ? 0 : cells;
  });
  /** How long the powers of two rows flow between them; a ramp through 0 has both directions for a shorter time. */
  const flowMs = (from: number, to: number): readonly [number, number] => {
    const spanMs = timesMs[to] - timesMs[from];
    if (label === "mean") return [spanMs, 0];
    if (isChanged[from] === isChanged[to]) return [spanMs / 2, spanMs / 2];
    const changeMs = isChanged[to] === 1 ? changeWithin(timesMs[from], timesMs[to]) - timesMs[from] : 0;
    const [oldKw, newKw] = [cellKw[from], cellKw[to]];
    const rampMs = (MS_PER_SECOND * Math.abs(newKw - oldKw)) / rampKwPerS;
    const [firstMs, lastMs] =
      oldKw * newKw < 0
        ? [rampMs * (oldKw / (oldKw - newKw) / 2), rampMs * (newKw / (newKw - oldKw) / 2)]
        : [rampMs / 2, rampMs / 2];
    const oldMs = Math.min(spanMs, changeMs + delayMs + firstMs);
    return [oldMs, Math.max(0, Math.min(spanMs - oldMs, spanMs - changeMs - delayMs - rampMs + lastMs))];
  };
  const soc = valuesOf(table, "soc");
  const socs = soc.filter((pct) => !Number.isNaN(pct));
  const [leastPct, mostPct] = [smallestOf(socs) + BOUND_POINTS, largestOf(socs) - BOUND_POINTS];
  const isStopped = (from: number, to: number): boolean => {
    if (Math.abs(cellKw[from]) <= sameKw) return false;
    if (isChanged[to] === 1) return soc[to] < leastPct || mostPct < soc[to];
    return Math.abs(cellKw[to]) <= sameKw && sameKw < Math.abs(targetKw[to]);
  };
  return {
    isKnown: (row) => !Number.isNaN(cellKw[row]),
    reaches: () => true,
    isStopped,
    add(sums, from, to) {
      const [fromMs, toMs] = flowMs(from, to);
      for (const [row, ofSpan] of [
        [from, fromMs],
        [to, toMs],
      ]) {
        sums.inKwMs += ofSpan * Math.max(0, cellKw[row]);
        sums.outKwMs += ofSpan * Math.max(0, -cellKw[row]);
        sums[cellKw[row] === 0 ? "idleMs" : cellKw[row] > 0 ? "inMs" : "outMs"] += ofSpan;
      }
    },
  };
}

/** When a set-point changed that the second of two rows shows: at a half hour, as at a market, or when it was seen. */
function changeWithin(fromMs: EpochMs, toMs: EpochMs): EpochMs {
  const halfHourMs = floorToHalfHour(toMs);
  return fromMs < halfHourMs ? halfHourMs : toMs;
}
