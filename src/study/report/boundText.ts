import { formatFixed } from "../../report/html/page/format.ts";
import type { StudyBound } from "../bound/studyBound.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { StudyResult } from "../studyResult.ts";

/** Means over the seeds of a bound, in kWh. */
export interface BoundMeans {
  /** What no weights can go below. */
  readonly boundKwh: number;
  /** The same if one thing were otherwise. */
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

/** How much weights can still win, and what the rest would need. */
export function boundSentences(result: StudyResult): string[] {
  const { bound, bestBound, best } = result;
  const limit = bestBound ?? bound;
  if (limit === null || best === null) return [];
  if (limit.coveredRequestKwh === 0)
    return [
      "What weights could win at all cannot be said: no award stands alone and asks for a delta and nothing else.",
    ];
  const now = meanShortfallKwh(limit, best.scored);
  if (now === null) return [];
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(limit);
  const head = `${bestBound === null ? "No weights at all" : "With these settings no weights"}, even new ones at every award, could leave less than ${kwh(boundKwh)} short${limit.method === "relaxed" ? " (and the true limit may lie higher)" : ""}`;
  const before =
    bestBound === null || bound === null
      ? ""
      : ` As the scenario is written that limit is ${kwh(boundMeans(bound).boundKwh)}.`;
  const sentences = [
    `${head}; this leaves ${kwh(now)}, so weights alone could win at most ${kwh(Math.max(0, now - boundKwh))} more.${before}`,
  ];
  sentences.push(...boundCoverageSentence(result, limit));
  if (boundKwh >= 0.05)
    sentences.push(
      `The ${kwh(boundKwh)} below that limit need something else. Each by itself: fewer outages could win at most ${kwh(Math.max(0, boundKwh - withoutOutagesKwh))} of them, more kWh in the batteries ${kwh(Math.max(0, boundKwh - unlimitedEnergyKwh))}, more kW ${kwh(Math.max(0, boundKwh - unlimitedPowerKwh))}.`,
    );
  return sentences;
}

/** How much of what is asked the bound knows of, where that is not all. */
export function boundCoverageSentence({ written }: StudyResult, { coveredRequestKwh }: StudyBound): string[] {
  const askedKwh = written.kpis.get("requested_kwh")?.mean ?? coveredRequestKwh;
  return askedKwh - coveredRequestKwh <= 1e-3 * askedKwh
    ? []
    : [
        `That limit counts ${kwh(coveredRequestKwh)} of the ${kwh(askedKwh)} asked: what overlaps or holds a width is left out.`,
      ];
}
