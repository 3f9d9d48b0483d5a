import { CAUSES } from "../../accounting/settlement/causes.ts";
import { meanOf } from "../../base/lists.ts";
import { roundTo } from "../../base/rounding.ts";
import { isoUtc } from "../../base/time.ts";
import type { PageLocale } from "../../report/html/page/pageLocale.ts";
import type { Compared } from "./awardErrors.ts";
import type { TwinCheck } from "./checkTwin.ts";
import { checkSentence, limitingSites, shortfallTotals } from "./checkVerdict.ts";

const DECIMALS = 3;

const rounded = (value: number | null): number | null => (value === null ? null : roundTo(value, DECIMALS));
const compared = ({ measured, twin }: Compared) => ({ measured: rounded(measured), twin: rounded(twin) });
const meanError = (pairs: readonly Compared[]): number | null =>
  pairs.length === 0 ? null : rounded(meanOf(pairs.map(({ measured, twin }) => Math.abs(twin - measured))));

/** Content of check.json (docs/model/twin.md#check-json). @param patchFile  `null`: the scenario as written */
export function checkJson(check: TwinCheck, patchFile: string | null, locale: PageLocale): object {
  const { scenario, sites, total, awards, within, isGoodEnough, run } = check;
  const { world } = scenario;
  const comparedIds = new Set(awards.map(({ awardId }) => awardId));
  const rows = run.record.awards.filter(({ awardId }) => comparedIds.has(awardId));
  return {
    format: "vppsim-twin-check",
    version: 1,
    vpp: world.vpps.map(({ name }) => name).join(", "),
    from: isoUtc(world.startMs),
    to: isoUtc(world.endMs),
    patch: patchFile,
    sites: sites.map((error) => ({
      site: error.site,
      kw_mae: rounded(error.kwMae),
      kw_bias: rounded(error.kwBias),
      kw_mae_in_orders: rounded(error.kwMaeInOrders),
      kwh_error_pct: rounded(error.kwhErrorPct),
      soc_mae_pct: rounded(error.socMaePct),
      soc_end_error_pct: rounded(error.socEndErrorPct),
      rows: error.rows,
    })),
    vpp_total: { kw_mae: rounded(total.kwMae), kwh_error_pct: rounded(total.kwhErrorPct) },
    awards: {
      count: awards.length,
      uncovered_kw_mae: meanError(awards.map(({ uncoveredKw }) => uncoveredKw)),
      delivered_kwh_mae: meanError(awards.map(({ deliveredKwh }) => deliveredKwh)),
      shortfall_kwh: compared(shortfallTotals(check)),
      shortfall_by_cause: Object.fromEntries(
        CAUSES.map((cause, k) => [cause, rows.reduce((sum, row) => sum + row.shortfallByCauseKwh[k], 0)] as const)
          .filter(([, kwh]) => kwh > 0)
          .map(([cause, kwh]) => [cause, rounded(kwh)]),
      ),
      rows: awards.map((award) => ({
        award_id: award.awardId,
        start: isoUtc(award.startMs),
        end: isoUtc(award.endMs),
        requested_kwh: rounded(award.requestedKwh),
        uncovered_kw: compared(award.uncoveredKw),
        delivered_kwh: compared(award.deliveredKwh),
        shortfall_kwh: compared(award.shortfallKwh),
      })),
    },
    answers: {
      weights: {
        good_enough: isGoodEnough,
        within: { shortfall_kwh: rounded(within.shortfallKwh), uncovered_kw: rounded(within.uncoveredKw) },
        sentence: checkSentence(check, locale),
        limiting: limitingSites(check, locale),
      },
    },
  };
}
