import { counted, formatFixed, listed } from "../../report/html/format.ts";
import { kpiText } from "../../report/html/kpiText.ts";
import type { Estimate } from "../estimate.ts";
import type { Scored } from "../scoreCandidate.ts";
import type { Parameter, Study } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";

/** The objective as a reader names it, with its unit in brackets where it is one figure. */
export function objectiveLabel({ objective: { terms, text } }: Study): string {
  if (terms.length !== 1 || terms[0].weight !== 1) return text;
  const { label, unit } = kpiText(terms[0].kpi);
  return unit === "" ? label : `${label} (${unit})`;
}

/** Decimals that suit the objective. */
export const objectiveDecimals = ({ objective: { terms } }: Study): number =>
  terms.length === 1 && terms[0].weight === 1 ? kpiText(terms[0].kpi).decimals : 2;

export const percentOf = (share: number): string =>
  `${formatFixed(100 * share, 100 * share === Math.round(100 * share) ? 0 : 1)} %`;

/** `12.3 (10.1 to 14.5)`; without an interval the mean alone. */
export function estimateText({ mean, low, high }: Estimate, decimals: number): string {
  const centre = formatFixed(mean, decimals);
  return low === null || high === null
    ? centre
    : `${centre} (${formatFixed(low, decimals)} to ${formatFixed(high, decimals)})`;
}

export const valueOfParameter = ({ path, writtenValue }: Parameter, { patch }: Scored): number | null =>
  patch[path] ?? writtenValue;

/** A number of a parameter, as short as it is exact to six digits. */
export const parameterText = (value: number | null): string =>
  value === null ? "as written" : String(Number(value.toPrecision(6)));

export function candidateName({ study, candidates }: StudyResult, place: number): string {
  return place < 0
    ? "as written"
    : study.method === "optimise" && candidates.length > 99
      ? `no. ${place + 1}`
      : `candidate ${place + 1}`;
}

/** What the study recommends and why, one sentence after the other. */
export function recommendation(result: StudyResult): string[] {
  const { study, best, candidates, written } = result;
  if (best === null) return nothingFeasible(result);
  const label = objectiveLabel(study);
  const decimals = objectiveDecimals(study);
  const sentences: string[] = [];
  const [then, now] = [written.objective, best.scored.objective];
  if (best.candidate < 0) {
    sentences.push(
      `Keep the scenario as it is: of ${counted(candidates.length, "candidate")} none has a better ${label}${then === null ? "" : `, which is ${estimateText(then, decimals)}`}.`,
    );
  } else {
    const settings = study.parameters.map(
      (parameter) => `${parameter.name} ${parameterText(valueOfParameter(parameter, best.scored))}`,
    );
    const from = then === null ? "" : ` instead of ${estimateText(then, decimals)} as written`;
    sentences.push(
      `Set ${listed(settings)}: ${label} becomes ${now === null ? "–" : estimateText(now, decimals)}${from}.`,
    );
    sentences.push(...evidence(result));
  }
  sentences.push(...heldOutSentences(result), ...boundSentences(result));
  if (!written.feasible && best.candidate >= 0)
    sentences.push("The scenario as written does not keep to the constraints.");
  return sentences;
}

function nothingFeasible({ study, candidates, written }: StudyResult): string[] {
  const limits = study.constraints.map(
    ({ kpi, bound, limit }) => `${kpi} ${bound === "at_least" ? "at least" : "at most"} ${limit}`,
  );
  const refused = candidates.filter(({ refusal }) => refusal !== null).length;
  return [
    `None of ${counted(candidates.length, "candidate")}, nor the scenario as written, keeps to ${limits.length === 0 ? "what the objective needs" : `${listed(limits)} on every seed`}.`,
    ...(refused > 0 ? [`${counted(refused, "candidate")} the scenario itself refuses.`] : []),
    ...(written.objective === null
      ? [`The objective ${study.objective.text} does not apply to this scenario: a figure of it is empty.`]
      : []),
  ];
}

/** Whether the difference can be told from chance. */
function evidence({ study, best }: StudyResult): string[] {
  const difference = best?.difference ?? null;
  if (difference === null) return [];
  const decimals = objectiveDecimals(study);
  if (difference.low === null || difference.high === null)
    return ["On one seed nothing can be said about chance: give the study more seeds."];
  const text = estimateText(difference, decimals);
  const seeds = counted(study.seeds.length, "seed");
  if (difference.low === difference.high)
    return [
      `The difference is ${formatFixed(difference.mean, decimals)} on each of ${seeds}: chance has no part in it.`,
    ];
  const isClear = difference.low > 0 || difference.high < 0;
  return [
    isClear
      ? `Seed by seed the difference is ${text} at ${percentOf(study.confidence)} confidence on ${seeds}, which chance does not explain.`
      : `Seed by seed the difference is ${text} at ${percentOf(study.confidence)} confidence on ${seeds}: it may be chance, and more seeds would tell.`,
  ];
}

function heldOutSentences({ heldOut, best, study }: StudyResult): string[] {
  if (heldOut === null || best === null || best.candidate < 0) return [];
  const row = heldOut.rows.find(({ name }) => name === "as written");
  if (row?.bestLess == null) return [];
  const text = estimateText(row.bestLess, objectiveDecimals(study));
  const sign = study.objective.direction === "minimise" ? -1 : 1;
  const holds = (sign < 0 ? row.bestLess.high : row.bestLess.low) ?? 0;
  const verdict = sign * holds > 0 ? "the choice holds" : "there the choice cannot be told from chance";
  return [
    `On ${counted(heldOut.seeds.length, "other seed")}, which had no say in the choice, the difference is ${text}: ${verdict}.`,
  ];
}

function boundSentences({ bound, best, study }: StudyResult): string[] {
  if (bound === null || best === null) return [];
  const mean = (values: readonly number[]) =>
    values.slice(0, bound.seeds.length).reduce((sum, value) => sum + value, 0) / bound.seeds.length;
  const least = mean(bound.kwh);
  const now = mean(best.scored.shortfalls);
  const weightsOnly = study.parameters.every(({ path }) => path.startsWith("weights."));
  const head = `No weights at all, even new ones at every award, could leave less than ${formatFixed(least, 1)} kWh short${bound.method === "relaxed" ? " (and the true limit may lie higher)" : ""}`;
  if (!weightsOnly && now < least)
    return [`${head}; with other things than weights changed, ${formatFixed(now, 1)} kWh are.`];
  return [
    `${head}; this leaves ${formatFixed(now, 1)} kWh, so weights alone could win at most ${formatFixed(Math.max(0, now - least), 1)} kWh more.`,
  ];
}
