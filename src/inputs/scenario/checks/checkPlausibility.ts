import type { Series } from "../../../engine/series/model/series.ts";
import type { DocumentChecker } from "../parse/documentChecker.ts";
import { checkAmounts, checkDuplicates, checkPeriods, checkReplacedAwards, checkReserve } from "./awardChecks.ts";
import { type CheckContext, type SeriesExtremes, seriesExtremes } from "./checkContext.ts";
import type { RemarkCollector } from "./remark.ts";
import { checkConnections, checkFormulaText, checkMembership, checkNames } from "./siteChecks.ts";
import {
  checkComponents,
  checkPercentages,
  checkPriceCurrency,
  checkPrices,
  checkReportIntervals,
} from "./unitChecks.ts";

/** Adds what the checks need to a scenario: places, and the extreme values of its series. */
export function createCheckContext(
  scenario: Omit<CheckContext, "remark" | "extremesOf" | "isWritten">,
  checker: DocumentChecker,
  remarks: RemarkCollector,
): CheckContext {
  const { startMs, endMs } = scenario.world;
  const known = new Map<Series, SeriesExtremes | null>();
  return {
    ...scenario,
    extremesOf(series) {
      let extremes = known.get(series);
      if (extremes === undefined) known.set(series, (extremes = seriesExtremes(series, startMs, endMs)));
      return extremes;
    },
    isWritten: (owner, key) => checker.isWritten(owner, key),
    remark: (check, [owner, key], describe) =>
      remarks.add(check, () => ({ ...checker.placeOf(owner, key), message: describe() })),
  };
}

const ALL_CHECKS: readonly ((context: CheckContext) => void)[] = [
  checkPeriods,
  checkReplacedAwards,
  checkAmounts,
  checkReserve,
  checkDuplicates,
  checkPercentages,
  checkComponents,
  checkConnections,
  checkMembership,
  checkNames,
  checkFormulaText,
  checkPrices,
  checkPriceCurrency,
  checkReportIntervals,
];

/**
 * Reports valid but implausible values and combinations of a scenario. Time is linear in the size of the scenario.
 *
 * @see docs/model/scenario-format.md#checks
 */
export function checkPlausibility(context: CheckContext): void {
  for (const check of ALL_CHECKS) check(context);
}
