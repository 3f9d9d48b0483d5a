import type { RefusalKind } from "../../base/result.ts";
import { toTenths } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import { type AwardMoney, NO_AWARD_MONEY } from "../ledger/moneyRows.ts";
import { BEFORE_EXECUTION, type Figures } from "./awardAccount.ts";
import { awardPeriod, requestedKwOf } from "./awardFigures.ts";
import { CAUSES, type Cause } from "./causes.ts";

/**
 * A figure of an award: its column in files, how it is written and read, and its value from what was accumulated; `null`: not
 * applicable.
 */
interface AwardFigure<Value extends number | null> {
  readonly name: string;
  readonly kind: "thousandths" | "optional instant";
  readonly of: (figures: Figures, origin: InstructionOrigin) => Value;
}

type FigureTable = Readonly<Record<string, AwardFigure<number | null>>>;

/** The values of all figures of a table. */
type ValuesOf<Table extends FigureTable> = { readonly [Name in keyof Table]: ReturnType<Table[Name]["of"]> };

const thousandths = <Value extends number | null>(name: string, of: AwardFigure<Value>["of"]): AwardFigure<Value> => ({
  name,
  kind: "thousandths",
  of,
});

/** The figures of an award in the order of their columns. @see docs/model/report-files.md */
export const AWARD_FIGURES = {
  /** Snapshot of the first executed piece; `null` when nothing was executed inside the run. */
  uncoveredKw: thousandths("uncovered_kw", ({ uncoveredKw }) => applicable(uncoveredKw)),
  /** The uncovered kW of the execution that were largest in magnitude, re-dispatches included; `null` as `uncoveredKw`. */
  uncoveredKwPeak: thousandths("uncovered_kw_peak", ({ uncoveredKw, uncoveredKwPeak }) =>
    Number.isNaN(uncoveredKw) ? null : uncoveredKwPeak,
  ),
  /** Its first instant; `null` where it is 0. */
  uncoveredPeakMs: {
    name: "uncovered_peak_at",
    kind: "optional instant",
    of: ({ uncoveredKwPeak, uncoveredPeakMs }) => (uncoveredKwPeak === 0 ? null : uncoveredPeakMs),
  } satisfies AwardFigure<number | null>,
  requestedKwh: thousandths("requested_kwh", (figures, origin) => signedKwh(figures, figures.requestedKwh, origin)),
  deliveredKwh: thousandths("delivered_kwh", (figures, origin) => signedKwh(figures, figures.deliveredKwh, origin)),
  shortfallKwh: thousandths("shortfall_kwh", ({ shortfallKwh }) => applicable(shortfallKwh)),
  excessKwh: thousandths("excess_kwh", (figures) => (Number.isNaN(figures.shortfallKwh) ? null : figures.excessKwh)),
  compliancePct: thousandths("compliance_pct", ({ assessedMs, inBandMs }) =>
    assessedMs > 0 ? (100 * inBandMs) / assessedMs : null,
  ),
  /** Delivered up to the request of each instant, as a share of the request. */
  deliveredSharePct: thousandths("delivered_share_pct", ({ requestedKwh, withinKwh }) =>
    requestedKwh > 0 ? (100 * withinKwh) / requestedKwh : null,
  ),
  executedMinutes: thousandths("executed_minutes", ({ executedMinutes }) => executedMinutes),
};

/** Figures of frequency response in the order of their columns; `null`: not executed. */
export const FCR_FIGURES = {
  /** Requested two-sided FCR capacity in kW, at least 0. */
  responseKw: thousandths("fcr_response_kw", (_, { fcrResponseKw }) => toTenths(fcrResponseKw ?? 0) / 10),
  /** Uncovered FCR capacity at the start of the first piece, at least 0. */
  uncoveredKw: thousandths("fcr_uncovered_kw", ({ fcrUncoveredKw }) => applicable(fcrUncoveredKw)),
  /** Energy of the response above and below the baselines, both at least 0. */
  activatedUpKwh: thousandths("fcr_activated_up_kwh", ({ fcrUpKwh }) => applicable(fcrUpKwh)),
  activatedDownKwh: thousandths("fcr_activated_down_kwh", ({ fcrDownKwh }) => applicable(fcrDownKwh)),
  /** Minutes at a storage bound while the capacity was in force, summed over the members. */
  minutesAtBound: thousandths("fcr_minutes_at_bound", ({ fcrAtBoundMs }) => applicable(fcrAtBoundMs / MS_PER_MINUTE)),
  /** Mean over the executed time of the members' |response|, summed over the members, in kW. */
  meanResponseKw: thousandths("fcr_mean_response_kw", ({ fcrUpKwh, fcrDownKwh, executedMinutes }) => {
    const hours = (executedMinutes * MS_PER_MINUTE) / MS_PER_HOUR;
    if (Number.isNaN(fcrUpKwh)) return null;
    return hours > 0 ? (fcrUpKwh + fcrDownKwh) / hours : 0;
  }),
};

const applicable = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** `null` where no energy was requested: nothing was executed, or frequency response alone. */
const signedKwh = ({ shortfallKwh }: Figures, kwh: number, origin: InstructionOrigin): number | null =>
  Number.isNaN(shortfallKwh) ? null : kwh * Math.sign(requestedKwOf(origin)) || 0;

function valuesOf<Table extends FigureTable>(
  table: Table,
  figures: Figures,
  origin: InstructionOrigin,
): ValuesOf<Table> {
  const values: Record<string, number | null> = {};
  for (const name in table) values[name] = table[name].of(figures, origin);
  // One value for each name, of the type that its function returns.
  return values as ValuesOf<Table>;
}

/** Frequency response of one award. */
export interface FcrFigures extends ValuesOf<typeof FCR_FIGURES> {
  /** One per cause; sums to `uncoveredKw`. */
  readonly uncoveredByCauseKw: Float64Array;
}

export type AwardState = "pending" | "running" | "completed" | "overwritten" | "deleted" | "refused";

/** Figures after those of frequency response. */
export const LATER_FIGURES = {
  /** Delivered up to the request of each instant, at least 0. */
  deliveredWithinKwh: thousandths("delivered_within_kwh", ({ shortfallKwh, withinKwh }) =>
    Number.isNaN(shortfallKwh) ? null : withinKwh,
  ),
};

/** Result of one award or immediate instruction. kW and kWh carry the request's sign; shortfall and excess do not. */
export interface AwardRow extends ValuesOf<typeof AWARD_FIGURES>, ValuesOf<typeof LATER_FIGURES>, AwardMoney {
  readonly awardId: string;
  readonly kind: "award" | "instruction";
  readonly vpp: string;
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Delta in kW, or the two-sided capacity of an FCR award (at least 0). */
  readonly requestedKw: number;
  /** Frequency response alone: no kWh are requested, and the uncovered kW are FCR capacity. */
  readonly isFcr: boolean;
  /** `null` for an award without frequency response; a compound may have both. */
  readonly fcr: FcrFigures | null;
  readonly state: AwardState;
  readonly overwrittenBy: string | null;
  readonly errorType: RefusalKind | null;
  /** One per cause, in the order of CAUSES; sums to `shortfallKwh`. */
  readonly shortfallByCauseKwh: Float64Array;
  /** One per cause; sums to |uncoveredKw|. */
  readonly uncoveredByCauseKw: Float64Array;
  /** The members with the largest shortfall, largest first, at most three. */
  readonly topContributors: readonly { readonly site: string; readonly cause: Cause; readonly kwh: number }[];
}

export type AwardRowDraft = { -readonly [Key in keyof AwardRow]: AwardRow[Key] };

const NO_CAUSES = new Float64Array(CAUSES.length);

/** Row of an award by its figures, without causes. Callers fill it in place, because copying an object of so many keys is slow. */
export function awardRow(origin: InstructionOrigin, vpp: string, figures: Figures): AwardRowDraft {
  return {
    awardId: origin.awardId,
    kind: "atMs" in origin ? "instruction" : "award",
    vpp,
    sku: origin.sku,
    ...awardPeriod(origin),
    requestedKw: requestedKwOf(origin),
    isFcr: origin.sku === "fcr",
    fcr:
      origin.fcrResponseKw === null
        ? null
        : { ...valuesOf(FCR_FIGURES, figures, origin), uncoveredByCauseKw: NO_CAUSES },
    ...valuesOf(AWARD_FIGURES, figures, origin),
    ...valuesOf(LATER_FIGURES, figures, origin),
    ...NO_AWARD_MONEY,
    state: "pending",
    overwrittenBy: null,
    errorType: null,
    shortfallByCauseKwh: NO_CAUSES,
    uncoveredByCauseKw: NO_CAUSES,
    topContributors: [],
  };
}

/** Row of an award that is wholly uncovered for one cause (an index into `CAUSES`). */
export function uncoveredAwardRow(
  origin: InstructionOrigin,
  vpp: string,
  figures: Partial<Figures>,
  cause: number,
): AwardRowDraft {
  const row = awardRow(origin, vpp, { ...BEFORE_EXECUTION, ...figures });
  row.uncoveredByCauseKw = singleCause(cause, Math.abs(row.requestedKw));
  if (row.shortfallKwh !== null) row.shortfallByCauseKwh = singleCause(cause, row.shortfallKwh);
  if (row.fcr !== null) row.fcr = { ...row.fcr, uncoveredByCauseKw: singleCause(cause, row.fcr.responseKw) };
  return row;
}

export function singleCause(cause: number, amount: number): Float64Array {
  const causes = new Float64Array(CAUSES.length);
  causes[cause] = amount;
  return causes;
}
