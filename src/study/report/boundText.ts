import { formatFixed } from "../../report/html/page/format.ts";
import type { StudyBound } from "../bound/studyBound.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { StudyResult } from "../studyResult.ts";

/** Means over the seeds of a bound, in kWh. */
export interface BoundMeans {
  /** The lower bound for all weights. */
  readonly boundKwh: number;
  /** The lower bound with one limit removed. */
  readonly withoutOutagesKwh: number;
  readonly unlimitedEnergyKwh: number;
  readonly unlimitedPowerKwh: number;
}

export const boundMeans = ({
  boundKwh,
  withoutOutagesKwh,
  unlimitedEnergyKwh,
  unlimitedPowerKwh,
}: StudyBound): BoundMeans => ({
  boundKwh: mean(boundKwh),
  withoutOutagesKwh: mean(withoutOutagesKwh),
  unlimitedEnergyKwh: mean(unlimitedEnergyKwh),
  unlimitedPowerKwh: mean(unlimitedPowerKwh),
});

/** Shortfall of a candidate on the seeds of a bound, in kWh; `null` where it was refused. */
export const meanShortfallKwh = ({ seeds }: StudyBound, { shortfallsKwh }: ScoredCandidate): number | null =>
  shortfallsKwh.length === 0 ? null : mean(shortfallsKwh.slice(0, seeds.length));

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const kwh = (value: number): string => `${formatFixed(value, 1)} kWh`;

/** Sentences on the remaining improvement from re-weighting, and on the effect of relaxing other limits. */
export function boundSentences(result: StudyResult): string[] {
  const { bound, bestBound, best } = result;
  const shownBound = bestBound ?? bound;
  if (shownBound === null || best === null) return [];
  if (shownBound.coveredRequestKwh === 0)
    return [
      "What weights could win at all cannot be said: no award stands alone and asks for a delta and nothing else.",
    ];
  const shortfallKwh = meanShortfallKwh(shownBound, best.scored);
  if (shortfallKwh === null) return [];
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(shownBound);
  const head = `${bestBound === null ? "No weights at all" : "With these settings no weights"}, even new ones at every award, could leave less than ${kwh(boundKwh)} short${shownBound.method === "relaxed" ? " (and the true limit may lie higher)" : ""}`;
  const before =
    bestBound === null || bound === null
      ? ""
      : ` As the scenario is written that limit is ${kwh(boundMeans(bound).boundKwh)}.`;
  const sentences = [
    `${head}; this leaves ${kwh(shortfallKwh)}, so weights alone could win at most ${kwh(Math.max(0, shortfallKwh - boundKwh))} more.${before}`,
  ];
  sentences.push(...boundCoverageSentence(result, shownBound));
  if (boundKwh >= 0.05)
    sentences.push(
      `The ${kwh(boundKwh)} below that limit need something else. Each by itself: fewer outages could win at most ${kwh(Math.max(0, boundKwh - withoutOutagesKwh))} of them, more kWh in the batteries ${kwh(Math.max(0, boundKwh - unlimitedEnergyKwh))}, more kW ${kwh(Math.max(0, boundKwh - unlimitedPowerKwh))}.`,
    );
  return sentences;
}

/** States how much of the requested energy the bound covers, unless it covers all. */
export function boundCoverageSentence({ written }: StudyResult, { coveredRequestKwh }: StudyBound): string[] {
  const requestedKwh = written.kpis.get("requested_kwh")?.mean ?? coveredRequestKwh;
  return requestedKwh - coveredRequestKwh <= 1e-3 * requestedKwh
    ? []
    : [
        `That limit counts ${kwh(coveredRequestKwh)} of the ${kwh(requestedKwh)} asked: what overlaps or holds a width is left out.`,
      ];
}
