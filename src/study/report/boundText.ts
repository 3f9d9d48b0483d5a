import { meanOf } from "../../base/sums.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import type { StudyBound } from "../bound/studyBound.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { StudyResult } from "../studyResult.ts";

/** Means over the seeds of a bound, in kWh. */
interface BoundMeans {
  /** Lower bound of the shortfall for any weights. */
  readonly boundKwh: number;
  /** The same with one relaxation each. */
  readonly withoutOutagesKwh: number;
  readonly unlimitedEnergyKwh: number;
  readonly unlimitedPowerKwh: number;
}

export const boundMeans = (bound: StudyBound): BoundMeans => ({
  boundKwh: meanOf(bound.boundKwh),
  withoutOutagesKwh: meanOf(bound.withoutOutagesKwh),
  unlimitedEnergyKwh: meanOf(bound.unlimitedEnergyKwh),
  unlimitedPowerKwh: meanOf(bound.unlimitedPowerKwh),
});

/** Mean shortfall of a candidate on the seeds of a bound, in kWh; `null` if it was refused. */
export const meanShortfallKwh = ({ seeds }: StudyBound, { shortfallsKwh }: ScoredCandidate): number | null =>
  shortfallsKwh.length === 0 ? null : meanOf(shortfallsKwh.slice(0, seeds.length));

const kwh = (value: number): string => `${formatFixed(value, 1)} kWh`;

/** The possible improvement from weights, and from relaxations beyond weights. */
export function boundSentences(result: StudyResult): string[] {
  const { bound, bestBound, best } = result;
  const usedBound = bestBound ?? bound;
  if (usedBound === null || best === null) return [];
  if (usedBound.coveredRequestKwh === 0)
    return [
      "There is no bound on the improvement from re-weighting: every award overlaps another one or includes FCR capacity.",
    ];
  const shortfallKwh = meanShortfallKwh(usedBound, best.scored);
  if (shortfallKwh === null) return [];
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(usedBound);
  const settings = bestBound === null ? "" : " with these settings";
  const relaxed = usedBound.method === "relaxed" ? " (the true minimum may be higher)" : "";
  const writtenBound =
    bestBound === null || bound === null
      ? ""
      : ` For the scenario as written, the lower bound is ${kwh(boundMeans(bound).boundKwh)}.`;
  const sentences = [
    `No weights${settings}, even with new ones for every award, could reduce the shortfall below ${kwh(boundKwh)}${relaxed}. The best candidate has ${kwh(shortfallKwh)}, so re-weighting could improve it by at most ${kwh(Math.max(0, shortfallKwh - boundKwh))}.${writtenBound}`,
  ];
  sentences.push(...boundCoverageSentence(result, usedBound));
  if (boundKwh >= 0.05)
    sentences.push(
      `Reducing the remaining ${kwh(boundKwh)} requires other changes. Upper bounds, one change at a time: no outages ${kwh(Math.max(0, boundKwh - withoutOutagesKwh))}, unlimited storage capacity ${kwh(Math.max(0, boundKwh - unlimitedEnergyKwh))}, unlimited battery power ${kwh(Math.max(0, boundKwh - unlimitedPowerKwh))}.`,
    );
  return sentences;
}

/** The part of the requested energy that the bound covers, if it is not all. */
function boundCoverageSentence({ written }: StudyResult, { coveredRequestKwh }: StudyBound): string[] {
  const requestedKwh = written.kpis.get("requested_kwh")?.mean ?? coveredRequestKwh;
  return requestedKwh - coveredRequestKwh <= 1e-3 * requestedKwh
    ? []
    : [
        `The bound covers ${kwh(coveredRequestKwh)} of the ${kwh(requestedKwh)} requested: awards that overlap or include FCR capacity are excluded.`,
      ];
}
