import { groupBy, meanOf, sumOf } from "../../base/lists.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { valuesOf } from "../fit/siteInput.ts";
import { endOf, type MeasuredColumn, type MeasuredSite, type MeasuredTable } from "../measured/measuredSeries.ts";
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

/** A sample at which the measurement and the twin have a value. */
interface Pair {
  /** Row of the table. */
  readonly row: number;
  readonly atMs: number;
  readonly measured: number;
  readonly twin: number;
  readonly hours: number;
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
  const inOrders = power.filter(({ row, atMs }) =>
    // NaN and 0: no instruction changes the power.
    deltas === undefined ? isInOrder(atMs) : Math.abs(deltas[row]) > 0,
  );
  const lastSoc = soc.at(-1);
  return {
    site,
    ...powerErrors(power),
    kwBias: meanOrNull(power.map(differenceOf)),
    kwMaeInOrders: meanAbsoluteError(inOrders),
    socMaePct: meanAbsoluteError(soc),
    socEndErrorPct: lastSoc === undefined ? null : differenceOf(lastSoc),
    rows: power.length,
  };
}

/** Errors of the sum of all sites, at the samples that all have. */
export function totalError(
  sites: readonly { readonly measured: MeasuredSite; readonly twin: MinuteSamples }[],
  period: Started,
): Pick<SiteError, "kwMae" | "kwhErrorPct"> {
  const pairs = sites.flatMap(({ measured, twin }) => pairsOf(measured.main, "current_kw", twin.currentKw, period));
  const whole = [...groupBy(pairs, ({ atMs }) => atMs).values()].filter(({ length }) => length === sites.length);
  return powerErrors(
    whole.map((atOnce) => ({
      measured: sumOf(atOnce, ({ measured }) => measured),
      twin: sumOf(atOnce, ({ twin }) => twin),
      hours: atOnce[0].hours,
    })),
  );
}

type Power = Pick<Pair, "measured" | "twin" | "hours">;

function powerErrors(pairs: readonly Power[]): Pick<SiteError, "kwMae" | "kwhErrorPct"> {
  const flowedKwh = sumOf(pairs, ({ measured, hours }) => Math.abs(measured) * hours);
  const errorKwh = sumOf(pairs, (pair) => differenceOf(pair) * pair.hours);
  return { kwMae: meanAbsoluteError(pairs), kwhErrorPct: flowedKwh > 0 ? (100 * errorKwh) / flowedKwh : null };
}

/** A mean of an interval is compared with the mean of the twin's minutes in it. */
function pairsOf(table: MeasuredTable, column: MeasuredColumn, twin: Float64Array, { startMs }: Started): Pair[] {
  const { timesMs, spacingMs, label } = table;
  const values = valuesOf(table, column);
  return [...timesMs].flatMap((atMs, row) => {
    const first = minuteAt(atMs, startMs);
    const end = label === "mean" ? Math.max(first + 1, minuteAt(atMs + spacingMs, startMs)) : first + 1;
    if (first < 0 || twin.length < end) return [];
    const pair = { row, atMs, measured: values[row], twin: meanOf(twin.subarray(first, end)) };
    return Number.isNaN(differenceOf(pair)) ? [] : [{ ...pair, hours: (endOf(table, row) - atMs) / MS_PER_HOUR }];
  });
}

const differenceOf = ({ measured, twin }: Pick<Pair, "measured" | "twin">): number => twin - measured;

const meanAbsoluteError = (pairs: readonly Pick<Pair, "measured" | "twin">[]): number | null =>
  meanOrNull(pairs.map((pair) => Math.abs(differenceOf(pair))));

const meanOrNull = (values: readonly number[]): number | null => (values.length === 0 ? null : meanOf(values));
