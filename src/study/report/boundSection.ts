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

/** Upper bound on the improvement from re-weighting, and the effect of relaxing other limits. */
export function boundSection(result: StudyResult): Section[] {
  const { bound, bestBound } = result;
  if (bound === null) return [];
  const { boundKwh } = boundMeans(bound);
  const methodText =
    bound.method === "exact"
      ? "It is the solution of a linear programme over everything that the members could deliver."
      : "The fleet is too large for the linear programme: it is a proved relaxation that stands all batteries of a VPP in for one store, so that the true limit lies there or higher.";
  const gaps = gapTable("Shortfall", [{ name: "the bound", kwh: boundKwh }, ...shortfallRows(result, bound)]);
  return [
    {
      id: "bound",
      contentsTitle: "Bound",
      title: "How much weights could win at all",
      intro: `The least shortfall that any weights could have reached, mean over ${formatCount(bound.seeds.length, "seed")}. ${methodText}`,
      body: html`${gaps}${relaxationTable("What would lower the bound, each by itself", bound)}${
        bestBound !== null &&
        html`${gapTable("With the settings of the best candidate", bestRows(result, bestBound))}${relaxationTable("What would lower that bound", bestBound)}`
      }<ul class="notes">${BOUND_ASSUMPTIONS.map((line) => html`<li>${line}</li>`)}</ul>`,
    },
  ];
}

/** A best candidate that changes more than weights has its own bound and is left out here. */
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

/** @param rows the bound first, then shortfalls to compare with it */
function gapTable(caption: string, rows: readonly BoundRow[]) {
  const [{ kwh: leastKwh }] = rows;
  return dataTable(caption, rows, [
    { title: "Weights", cell: ({ name }) => name },
    { title: "Short", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh, 1) },
    { title: "Above the bound", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh - leastKwh, 1) },
  ]);
}

function bestRows({ best }: StudyResult, bound: StudyBound): BoundRow[] {
  const kwh = best === null ? null : meanShortfallKwh(bound, best.scored);
  const gaps = kwh === null ? [] : [{ name: "best candidate", kwh }];
  return [{ name: "the bound with these settings", kwh: boundMeans(bound).boundKwh }, ...gaps];
}

function relaxationTable(caption: string, bound: StudyBound) {
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(bound);
  const rows: BoundRow[] = [
    { name: "everything as it is", kwh: boundKwh },
    { name: "no outages", kwh: withoutOutagesKwh },
    { name: "no end of kWh in the batteries", kwh: unlimitedEnergyKwh },
    { name: "no end of kW in the batteries", kwh: unlimitedPowerKwh },
  ];
  return dataTable(caption, rows, [
    { title: "With", cell: ({ name }) => name },
    { title: "Least shortfall", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh, 1) },
    { title: "Could win at most", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(boundKwh - kwh, 1) },
  ]);
}
