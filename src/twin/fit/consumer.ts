import { groupBy, meanOf, sumOf } from "../../base/lists.ts";
import { MS_PER_HALF_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import type { ConsumerSpec } from "../../engine/device/consumer/consumerSpec.ts";
import { isGapAfter, type MeasuredTable } from "../measured/measuredSeries.ts";
import { eventSamples, movingBlocks } from "./blockBootstrap.ts";
import { componentParameter, type Estimate, type FitResult, figureOf, notIdentifiable } from "./estimate.ts";
import { sigmaOf } from "./rest.ts";
import { NO_ROWS, type SiteInput, tableWith, valuesOf } from "./siteInput.ts";
import { fitSteps, noSteps, type PowerStep, responseNames, STEP_SIGMAS, WINDOW_MS } from "./steps.ts";

/** A reduction: half-open range of rows with a delta below 0. */
interface Reduction {
  readonly from: number;
  readonly to: number;
}

const REDUCTION_KW = -0.05;
/** Load is not undisturbed this long after a reduction. */
const AFTER_MS = 10 * MS_PER_MINUTE;
const EVENTS_MIN = 5;
const HALF_HOURS_MIN = 24;
const HALF_HOURS_PER_BLOCK = 24;
const SETTLING_MS = 10 * MS_PER_MINUTE;

/** A load alone at its site (docs/model/twin.md#consumer). */
export function fitConsumer(input: SiteInput<ConsumerSpec>): FitResult {
  const table = tableWith(input.measured, "current_kw", "baseline_kw") ?? NO_ROWS;
  const reductions = reductionsOf(table);
  const slots = baselineErrors(table, reductions);
  const [biasKw, baseline] = baselineEstimates(slots, input);
  const delivery = deliveryRatio(deliveriesOf(table, reductions, biasKw), input);
  const response = responseOf(input);
  return { estimates: [...baseline, delivery, ...response.estimates], fits: response.fits };
}

function reductionsOf(table: MeasuredTable): Reduction[] {
  const delta = valuesOf(table, "dispatched_delta_kw");
  const reductions: Reduction[] = [];
  let from = -1;
  for (let row = 0; row <= delta.length; row++) {
    const isReduced = delta[row] < REDUCTION_KW;
    const continues = isReduced && from >= 0 && !isGapAfter(table, row - 1) && delta[row] === delta[row - 1];
    if (from >= 0 && !continues) {
      reductions.push({ from, to: row });
      from = -1;
    }
    if (isReduced && from < 0) from = row;
  }
  return reductions;
}

/** Means of baseline less power over half hours without reductions. */
function baselineErrors(table: MeasuredTable, reductions: readonly Reduction[]): number[] {
  const { timesMs } = table;
  const [baseline, current] = [valuesOf(table, "baseline_kw"), valuesOf(table, "current_kw")];
  const isDisturbed = new Uint8Array(timesMs.length);
  for (const { from, to } of reductions)
    for (let row = from; row < timesMs.length && (row < to || timesMs[row] <= timesMs[to - 1] + AFTER_MS); row++)
      isDisturbed[row] = 1;
  const slots = groupBy(timesMs.keys(), (row) => Math.floor(timesMs[row] / MS_PER_HALF_HOUR));
  return [...slots.values()].flatMap((rows) => {
    const errors = rows.map((row) => baseline[row] - current[row]).filter((error) => !Number.isNaN(error));
    return errors.length === 0 || rows.some((row) => isDisturbed[row] === 1) ? [] : [meanOf(errors)];
  });
}

function baselineEstimates(
  slots: readonly number[],
  { options }: SiteInput<ConsumerSpec>,
): readonly [biasKw: number, estimates: readonly Estimate[]] {
  const names = ["baseline_bias_kw", "baseline_spread_kw"].map((name) => componentParameter(name, null, "kW", null));
  const method = "half_hours";
  if (slots.length < HALF_HOURS_MIN) {
    const why = `${slots.length} half hours with baseline_kw and current_kw and without a reduction; ${HALF_HOURS_MIN} are needed`;
    return [0, names.map((name) => notIdentifiable(name, why, method, slots.length))];
  }
  const { samples, note } = movingBlocks(slots, HALF_HOURS_PER_BLOCK, "baseline", options);
  const resampled = { found: slots, draws: samples, level: options.level, note, method, samples: slots.length };
  return [meanOf(slots), [meanOf, spreadOf].map((of, k) => figureOf(names[k], of, 0, resampled))];
}

const spreadOf = (values: readonly number[]): number => {
  const centre = meanOf(values);
  return Math.sqrt(sumOf(values, (value) => (value - centre) ** 2) / Math.max(1, values.length - 1));
};

/** Sums over the rows of a reduction's settled part. */
interface Delivery {
  readonly deliveredKw: number;
  readonly requestedKw: number;
}

/** Delivered by requested energy of the settled parts of reductions, against the baseline less its bias; `null`: too few. */
export function deliveryRatioOf(table: MeasuredTable): number | null {
  const reductions = reductionsOf(table);
  const slots = baselineErrors(table, reductions);
  const events = deliveriesOf(table, reductions, slots.length < HALF_HOURS_MIN ? 0 : meanOf(slots));
  return events.length < EVENTS_MIN ? null : ratioOf(events);
}

const deliveriesOf = (table: MeasuredTable, reductions: readonly Reduction[], biasKw: number): Delivery[] =>
  reductions.flatMap((reduction) => settledSums(table, reduction, biasKw) ?? []);

const ratioOf = (events: readonly Delivery[]): number =>
  sumOf(events, ({ deliveredKw }) => deliveredKw) / sumOf(events, ({ requestedKw }) => requestedKw);

function deliveryRatio(events: readonly Delivery[], { spec, options }: SiteInput<ConsumerSpec>): Estimate {
  const name = componentParameter("delivery_ratio", "model.delivery_ratio", "1", spec.deliveryRatio ?? 1);
  const method = "settled_reductions";
  if (events.length < EVENTS_MIN) {
    const why = `${events.length} reductions with baseline_kw and current_kw; ${EVENTS_MIN} are needed`;
    return notIdentifiable(name, why, method, events.length);
  }
  const { samples, note } = eventSamples(events, "delivery", options);
  const { level } = options;
  return figureOf(name, ratioOf, 0, { found: events, draws: samples, level, note, method, samples: events.length });
}

function settledSums(table: MeasuredTable, { from, to }: Reduction, biasKw: number): Delivery | null {
  const { timesMs } = table;
  const [baseline, current, delta] = (["baseline_kw", "current_kw", "dispatched_delta_kw"] as const).map((column) =>
    valuesOf(table, column),
  );
  const spanMs = timesMs[to - 1] - timesMs[from];
  const settledMs = timesMs[from] + Math.min(SETTLING_MS, spanMs / 3);
  const rows = Array.from({ length: to - from }, (_, k) => from + k).filter(
    (row) => settledMs < timesMs[row] && !Number.isNaN(baseline[row] + current[row]),
  );
  if (rows.length === 0) return null;
  return {
    deliveredKw: sumOf(rows, (row) => baseline[row] - biasKw - current[row]),
    requestedKw: sumOf(rows, (row) => -delta[row]),
  };
}

const LEVEL_MS = MS_PER_MINUTE;

/** Delay and ramp of reductions. The levels before and after are those of each event, because the load itself moves. */
function responseOf({ measured, spec, site, options }: SiteInput<ConsumerSpec>): FitResult {
  const names = responseNames(spec, site.link.latencyMs);
  const { fine } = measured;
  if (fine === null || !fine.columns.has("current_kw") || !fine.columns.has("dispatched_delta_kw"))
    return noSteps(names, "no current_kw with dispatched_delta_kw is measured by the second");
  return fitSteps(reductionSteps(fine), fine.spacingMs, names, options);
}

function reductionSteps(table: MeasuredTable): PowerStep[] {
  const { timesMs, spacingMs } = table;
  const current = valuesOf(table, "current_kw");
  const changes = Array.from(current.subarray(1), (kw, k) => kw - current[k]).filter((kw) => !Number.isNaN(kw));
  const noiseKw = changes.length === 0 ? 0 : sigmaOf(changes) / Math.SQRT2;
  const count = Math.max(2, Math.floor(LEVEL_MS / spacingMs));
  return reductionsOf(table).flatMap(({ from, to }) => {
    if (from < count || timesMs[from] - timesMs[from - count] > 2 * LEVEL_MS) return [];
    const rows = Array.from({ length: to - from }, (_, k) => from + k);
    const end = rows.find((row) => timesMs[row] - timesMs[from] > WINDOW_MS) ?? to;
    const kw = current.subarray(from, end);
    if (kw.length < 2 * count || kw.some(Number.isNaN)) return [];
    const [fromKw, toKw] = [meanOf(current.subarray(from - count, from)), meanOf(kw.subarray(-count))];
    const afterMs = timesMs.subarray(from, end).map((atMs) => atMs - timesMs[from]);
    return toKw <= fromKw - STEP_SIGMAS * noiseKw ? [{ fromKw, toKw, afterMs, kw }] : [];
  });
}
