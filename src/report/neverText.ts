// What never happened in a run, in at most three sentences (docs/model/report-files.md#never).
import { kpiValue } from "../accounting/kpis/kpiRegistry.ts";
import type { Polyline } from "../accounting/recorders/polyline.ts";
import type { RunRecord } from "../accounting/runRecord.ts";
import { largestOf, smallestOf } from "../base/lists.ts";
import { UPWARD_SKUS } from "../base/sku.ts";
import type { EpochMs } from "../base/time.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { plannedAwardId } from "../market/planNames.ts";
import { formatFixed, formatKwh, PRINTED_MIN } from "./html/page/format.ts";
import { perKwhUnit } from "./html/page/money.ts";
import type { PageLocale } from "./html/page/pageLocale.ts";

const SENTENCES_MAX = 3;

/** What a scenario never asks for. */
export interface NeverFacts {
  /** Sites follow a plan, and awards that no plan made are theirs too. */
  readonly isPlanWithoutAwards: boolean;
  /** There are awards of upward reserve, all of them with activation 1. */
  readonly isCalledInFull: boolean;
}

export function neverFacts({ world, plannedSites }: Pick<Scenario, "world" | "plannedSites">): NeverFacts {
  const { awards, vpps, sites } = world;
  const isPlanned = (site: number): boolean => plannedSites.has(sites[site].name);
  const hasPlanned = vpps.map(({ members }) => plannedSites.size > 0 && members.some(({ site }) => isPlanned(site)));
  const reserve = awards.filter(({ sku, deltaKw }) => sku !== null && UPWARD_SKUS.includes(sku) && deltaKw !== 0);
  return {
    isPlanWithoutAwards: awards.some(
      ({ vpp, awardId }) => hasPlanned[vpp] && !awardId.startsWith(plannedAwardId(vpps[vpp].name)),
    ),
    isCalledInFull: reserve.length > 0 && reserve.every(({ activation }) => activation === 1),
  };
}

/** The sentences that hold, batteries first. */
export function neverSentences(facts: NeverFacts, record: RunRecord, locale: PageLocale): readonly string[] {
  const sentences = [
    ...batterySentences(record, locale),
    ...(facts.isPlanWithoutAwards ? [locale.t("never.plan")] : []),
    ...(facts.isCalledInFull ? [locale.t("never.activation")] : []),
    ...penaltySentence(record, locale),
    ...priceSentence(record, locale),
  ];
  return sentences.slice(0, SENTENCES_MAX);
}

type Bound = "empty" | "full";

/** Batteries that stand still at a bound until the end of the run, by what they never do from then on. */
function batterySentences({ soc, sites, startMs, endMs }: RunRecord, locale: PageLocale): readonly string[] {
  const rows = new Map(sites.map((row) => [row.site, row]));
  const stuck = soc.batteries.flatMap(({ site, socPct }) => {
    const row = rows.get(site);
    const bound = row === undefined ? null : boundAtEnd(socPct, row);
    if (bound === null) return [];
    const sinceMs = stillSince(socPct);
    const isLong = endMs - sinceMs >= (endMs - startMs) / 2;
    return isLong || !movesBack(socPct, bound) ? [{ site, bound, sinceMs }] : [];
  });
  return (["empty", "full"] as const).flatMap((bound) => {
    const found = stuck.filter((battery) => battery.bound === bound).sort((a, b) => a.sinceMs - b.sinceMs);
    if (found.length === 0) return [];
    const [{ site, sinceMs }] = found;
    const values = { site, at: locale.formatLong(sinceMs), count: found.length };
    const verb = bound === "empty" ? "charges" : "discharges";
    return [locale.t(found.length === 1 ? `never.${verb}` : `never.${verb}_many`, values)];
  });
}

/** % points of the state of charge that print as nothing. */
const SOC_STEP = 0.05;

type StayAtBounds = Pick<RunRecord["sites"][number], "minutesAtSocMin" | "minutesAtSocMax">;

/** The bound at which a battery ends: its lowest value where it has been empty, its highest where it has been full. */
function boundAtEnd({ values }: Polyline, { minutesAtSocMin, minutesAtSocMax }: StayAtBounds): Bound | null {
  if (values.length === 0) return null;
  const last = values[values.length - 1];
  if ((minutesAtSocMin ?? 0) > 0 && last - smallestOf(values) < SOC_STEP) return "empty";
  return (minutesAtSocMax ?? 0) > 0 && largestOf(values) - last < SOC_STEP ? "full" : null;
}

/** Since when the curve has its last value. */
function stillSince({ atMs, values }: Polyline): EpochMs {
  const last = values[values.length - 1];
  let k = values.length - 1;
  while (k > 0 && Math.abs(values[k - 1] - last) < SOC_STEP) k--;
  return atMs[k];
}

/** Whether an empty battery was ever charged, or a full one discharged. */
function movesBack({ values }: Polyline, bound: Bound): boolean {
  for (let k = 1; k < values.length; k++) {
    const change = values[k] - values[k - 1];
    if (bound === "empty" ? change >= SOC_STEP : change <= -SOC_STEP) return true;
  }
  return false;
}

function penaltySentence({ kpis }: RunRecord, { t }: PageLocale): readonly string[] {
  const [kwh, penalty] = [kpiValue(kpis, "shortfall_kwh") ?? 0, kpiValue(kpis, "penalty_jpy")];
  const isPriced = kpiValue(kpis, "aggregator_margin_jpy") !== null;
  return isPriced && penalty === null && PRINTED_MIN <= kwh ? [t("never.penalty", { kwh: formatKwh(kwh) })] : [];
}

function priceSentence({ trade }: RunRecord, locale: PageLocale): readonly string[] {
  if (trade === null || trade.lowestJpyPerKwh !== trade.highestJpyPerKwh) return [];
  const unit = perKwhUnit(locale);
  return [locale.t("never.price", { price: `${formatFixed(trade.lowestJpyPerKwh, 2)} ${unit}` })];
}
