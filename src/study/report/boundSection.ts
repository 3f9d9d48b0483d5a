import { dataTable } from "../../report/html/page/dataTable.ts";
import type { Section } from "../../report/html/page/document.ts";
import { formatCount, numberCell } from "../../report/html/page/format.ts";
import { html } from "../../report/html/page/markup.ts";
import { BOUND_ASSUMPTIONS, type StudyBound } from "../bound/studyBound.ts";
import type { StudyResult } from "../studyResult.ts";
import { boundMeans, meanShortfallKwh } from "./boundText.ts";
import { mergeSameSettings } from "./studyMarkup.ts";

interface BoundRow {
  readonly name: string;
  readonly kwh: number;
}

/** The upper bound on the improvement from re-weighting, and the effect of relaxing outages, energy or power. */
export function boundSection(result: StudyResult): Section[] {
  const { bound, bestBound } = result;
  if (bound === null) return [];
  const { boundKwh } = boundMeans(bound);
  const methodText =
    bound.method === "exact"
      ? "It is the optimum of a linear programme over the possible delivery of all members."
      : "The fleet is too large for the linear programme. A proved relaxation aggregates all batteries of a VPP into one storage, so the true minimum may be higher.";
  const shortfallTable = gapTable("Shortfall", [
    { name: "lower bound", kwh: boundKwh },
    ...shortfallRows(result, bound),
  ]);
  return [
    {
      id: "bound",
      contentsTitle: "Bound",
      title: "Upper bound on the improvement from re-weighting",
      intro: `A lower bound of the shortfall for any weights, mean over ${formatCount(bound.seeds.length, "seed")}. ${methodText}`,
      body: html`${shortfallTable}${relaxationTable("Lower bound with one relaxation at a time", bound)}${
        bestBound !== null &&
        html`${gapTable("With the settings of the best candidate", bestRows(result, bestBound))}${relaxationTable("The same with the settings of the best candidate", bestBound)}`
      }<ul class="notes">${BOUND_ASSUMPTIONS.map((line) => html`<li>${line}</li>`)}</ul>`,
    },
  ];
}

/** Without the best candidate if it changes more than weights: `bestRows` then has it with its own bound. */
function shortfallRows({ study, best, bestBound, written, references }: StudyResult, bound: StudyBound): BoundRow[] {
  const named = mergeSameSettings(study, [
    ...(best === null || bestBound !== null ? [] : [{ name: "best candidate", scored: best.scored }]),
    { name: "as written", scored: written },
    ...references,
  ]);
  return named.flatMap(({ name, scored }) => {
    const kwh = meanShortfallKwh(bound, scored);
    return kwh === null ? [] : [{ name, kwh }];
  });
}

/** @param rows a bound, followed by the shortfalls to compare with it */
function gapTable(caption: string, rows: readonly BoundRow[]) {
  const [{ kwh: boundKwh }] = rows;
  return dataTable(caption, rows, [
    { title: "Weights", cell: ({ name }) => name },
    { title: "Shortfall", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh, 1) },
    { title: "Above the bound", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh - boundKwh, 1) },
  ]);
}

function bestRows({ best }: StudyResult, bound: StudyBound): BoundRow[] {
  const kwh = best === null ? null : meanShortfallKwh(bound, best.scored);
  const bestRow = kwh === null ? [] : [{ name: "best candidate", kwh }];
  return [{ name: "lower bound with these settings", kwh: boundMeans(bound).boundKwh }, ...bestRow];
}

function relaxationTable(caption: string, bound: StudyBound) {
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(bound);
  const rows: BoundRow[] = [
    { name: "no relaxation", kwh: boundKwh },
    { name: "no outages", kwh: withoutOutagesKwh },
    { name: "unlimited storage capacity", kwh: unlimitedEnergyKwh },
    { name: "unlimited battery power", kwh: unlimitedPowerKwh },
  ];
  return dataTable(caption, rows, [
    { title: "Relaxation", cell: ({ name }) => name },
    { title: "Lower bound", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh, 1) },
    { title: "Improvement at most", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(boundKwh - kwh, 1) },
  ]);
}
