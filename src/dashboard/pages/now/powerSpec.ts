import type {
  AwardBalance,
  Cause,
  PowerAward,
  PowerMark,
  SandboxEventKind,
  VppPower,
} from "../../../api/client/sandboxTypes.ts";
import type { Texts } from "../../app/preferences.tsx";
import { formatKw } from "../../format/numbers.ts";
import { isoOf, msOf } from "../../format/times.ts";
import { causeText } from "../../parts/Cause.tsx";
import type { ChartBlock, ChartLimit, ChartSpec } from "../../parts/chart/chartSpec.ts";

/** Events that are marked on the chart: the others are many, and the awards show as blocks. */
const MARKED: readonly SandboxEventKind[] = [
  "redispatched",
  "refused",
  "status_changed",
  "fault_noticed",
  "fault_cleared",
  "command_refused",
];

const secondsOf = (iso: string): number => msOf(iso) / 1_000;

/**
 * The chart of a VPP.
 *
 * @param inForce  awards in force; the limit of a single one is drawn, because of several the lines are sums
 * The present instant is that of the values, which end no later than the clock (docs/model/sandbox.md#dashboard-now).
 *
 * @param period  what is shown, also while its values are on the way
 */
export function powerSpec(
  power: VppPower,
  inForce: readonly AwardBalance[],
  period: Pick<ChartSpec, "fromS" | "toS">,
  t: Texts["t"],
  eventText: (mark: PowerMark) => string,
): ChartSpec {
  const causes = Object.entries(power.causes) as [Cause, readonly (number | null)[]][];
  const { times, requestedKw } = promised(power, period.toS);
  const padded = (values: readonly (number | null)[]) => (times === power.times ? values : [...values, null]);
  return {
    times,
    lines: [
      {
        label: t("word.requested"),
        unit: "kW",
        values: requestedKw,
        colour: "requested",
        shape: "step",
        isDashed: true,
      },
      {
        label: t("word.delivered"),
        unit: "kW",
        values: padded(power.delivered_kw),
        colour: "delivered",
        shape: "line",
        isFilled: true,
      },
    ],
    causes: causes.map(([cause, values]) => ({ cause, label: causeText(cause, t), values: padded(values) })),
    blocks: awardBlocks(power.awards, t),
    marks: power.marks
      .filter(({ kind }) => MARKED.includes(kind))
      .map((mark) => ({ atS: secondsOf(mark.at), text: eventText(mark) })),
    limits: inForce.length === 1 ? awardLimits(inForce[0], t) : [],
    unit: "kW",
    hasHead: true,
    range: null,
    nowS: secondsOf(power.at),
    ...period,
  };
}

/** An answer as of an instant: one that is younger than the clock that is shown ends where the clock stands. */
export function powerUntil(power: VppPower, nowS: number): VppPower {
  if (secondsOf(power.at) <= nowS) return power;
  const measured = (values: readonly (number | null)[]) =>
    values.map((value, k) => (power.times[k] <= nowS ? value : null));
  return {
    ...power,
    at: isoOf(1_000 * nowS),
    delivered_kw: measured(power.delivered_kw),
    uncovered_kw: measured(power.uncovered_kw),
    causes: Object.fromEntries(Object.entries(power.causes).map(([cause, values]) => [cause, measured(values)])),
    frequency_hz: measured(power.frequency_hz),
    fcr_response_kw: measured(power.fcr_response_kw),
  };
}

/**
 * The request to the end of what is shown, or until an award ends: the values end a step before that, and a window that rolls
 * at a high speed is further on than their last reading.
 */
function promised({ at, times, requested_kw, awards }: VppPower, toS: number) {
  const known = { times, requestedKw: requested_kw };
  const lastS = times.at(-1);
  if (lastS === undefined || lastS < secondsOf(at)) return known;
  const ends = awards.map(({ ends_at }) => secondsOf(ends_at)).filter((endS) => lastS < endS);
  const untilS = Math.min(toS, ...ends);
  if (untilS <= lastS) return known;
  return { times: [...times, untilS], requestedKw: [...requested_kw, requested_kw.at(-1) ?? null] };
}

/** Awards as blocks above a plot. */
export const awardBlocks = (awards: readonly PowerAward[], t: Texts["t"]): readonly ChartBlock[] =>
  awards.map(({ name, sku, starts_at, ends_at, requested_kw }) => ({
    fromS: secondsOf(starts_at),
    toS: secondsOf(ends_at),
    label: blockLabel(name, sku, requested_kw, t),
  }));

function blockLabel(award: string, sku: string | null, kw: number, t: Texts["t"]): string {
  const values = { award, kw: formatKw(kw) };
  return sku === null ? t("chart.block_plain", values) : t("chart.block", { ...values, sku: sku.toUpperCase() });
}

/** The limit of the product that lies nearer to zero: below it the award is not fulfilled. */
function awardLimits({ band_low_kw, band_high_kw, starts_at, ends_at }: AwardBalance, t: Texts["t"]): ChartLimit[] {
  if (band_low_kw === null || band_high_kw === null) return [];
  const value = Math.abs(band_low_kw) < Math.abs(band_high_kw) ? band_low_kw : band_high_kw;
  return [
    { fromS: secondsOf(starts_at), toS: secondsOf(ends_at), value, label: t("award.limit", { kw: formatKw(value) }) },
  ];
}
