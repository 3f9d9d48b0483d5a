// The report of a study as one HTML file, read from top to bottom: what to do, how sure that is, what else was tried.
import { figure, type Picture } from "../../report/html/chart.ts";
import { dataTable, type TableColumn } from "../../report/html/dataTable.ts";
import { renderDocument, type Section } from "../../report/html/document.ts";
import { counted, numberCell } from "../../report/html/format.ts";
import { kpiText } from "../../report/html/kpiText.ts";
import { html, type Markup } from "../../report/html/markup.ts";
import { VERSION } from "../../version.ts";
import { BOUND_ASSUMPTIONS } from "../bound/studyBound.ts";
import type { Estimate } from "../estimate.ts";
import { compareScored, type Scored } from "../scoreCandidate.ts";
import type { NamedScore, StudyResult } from "../studyResult.ts";
import { heatPicture } from "./heatMap.ts";
import { differencePicture, paretoPicture, searchPicture, tornadoPicture } from "./studyCharts.ts";
import {
  candidateName,
  estimateText,
  objectiveDecimals,
  objectiveLabel,
  parameterText,
  percentOf,
  recommendation,
  valueOfParameter,
} from "./words.ts";

/** Rows of the table; the others stand in study.csv. */
const ROWS_MAX = 200;

/** A self-contained page: equal input gives equal bytes, nothing is loaded from elsewhere. */
export function renderStudyHtml(result: StudyResult): string {
  const { study } = result;
  const order = orderOf(result);
  return renderDocument({
    title: `${study.name} – vppsim study`,
    header: headerOf(result),
    sections: [
      summary(result),
      candidates(result, order),
      ...pictures("effects", "Effects", "What each parameter does", [tornadoPicture(result), heatPicture(result)]),
      ...pictures("front", "Trade-off", "Two figures against each other", [paretoPicture(result)]),
      ...pictures("path", "Search", "How the best was found", [searchPicture(result)]),
      ...heldOut(result),
      ...bound(result),
      method(result),
    ],
    footer: html`<p>Made by vppsim ${VERSION}. The same study and scenario give this page again, byte for byte, on any number of workers. Scenario hash <code>${result.scenarioHash}</code>. Every figure of every candidate stands in study.csv.</p>`,
  });
}

/** Places of the candidates, the best first, ties in order. */
const orderOf = ({ study, candidates: all }: StudyResult): number[] =>
  [...all.keys()].sort((a, b) => compareScored(study, all[a], all[b]) || a - b);

function headerOf({ study, candidates: all }: StudyResult): Markup {
  return html`<p class="brand">vppsim study report</p>
<h1>${study.name}</h1>
${study.description !== "" && html`<p class="muted">${study.description}</p>`}
<ul class="facts"><li>Scenario <b>${study.scenarioName}</b></li><li>Method <b>${study.method}</b></li><li>Candidates <b>${all.length}</b></li><li>Seeds <b>${study.seeds.length}</b></li><li>Objective <b>${study.objective.direction} ${study.objective.text}</b></li></ul>`;
}

const summary = (result: StudyResult): Section => ({
  id: "summary",
  short: "Recommendation",
  title: "Recommendation",
  intro: "",
  body: html`<div class="card lead">${recommendation(result).map((sentence) => html`<p>${sentence}</p>`)}</div>${tiles(result)}`,
});

/** Figures of the best candidate beside those of the scenario as written. */
function tiles({ study, best, written }: StudyResult): Markup | null {
  if (best === null) return null;
  const shown = [...written.kpis.keys()].filter((kpi) => {
    const [then, now] = [written.kpis.get(kpi), best.scored.kpis.get(kpi)];
    return (
      then != null && now != null && (then.mean !== now.mean || study.objective.terms.some((term) => term.kpi === kpi))
    );
  });
  return dataTable<string>("Mean over the seeds", shown, [
    { title: "Figure", cell: (kpi) => html`<span title="${kpiText(kpi).meaning}">${kpiText(kpi).label}</span>` },
    { title: "Unit", cell: (kpi) => kpiText(kpi).unit },
    { title: "As written", align: "right", cell: (kpi) => meanCell(written, kpi) },
    { title: "Best", align: "right", cell: (kpi) => meanCell(best.scored, kpi) },
  ]);
}

const meanCell = ({ kpis }: Scored, kpi: string): Markup =>
  numberCell(kpis.get(kpi)?.mean ?? null, kpiText(kpi).decimals);

function candidates(result: StudyResult, order: readonly number[]): Section {
  const { study, candidates: all, differences } = result;
  const decimals = objectiveDecimals(study);
  const interval = (estimate: Estimate | null): Markup | string =>
    estimate === null
      ? numberCell(null, 0)
      : html`<data value="${estimate.mean}">${estimateText(estimate, decimals)}</data>`;
  const columns: TableColumn<number>[] = [
    { title: "Candidate", cell: (place) => html`<span class="id">${candidateName(result, place)}</span>` },
    ...study.parameters.map(
      (parameter): TableColumn<number> => ({
        title: parameter.name,
        align: "right",
        cell: (place) => parameterText(valueOfParameter(parameter, all[place])),
      }),
    ),
    {
      title: objectiveLabel(study),
      unit: `mean and ${percentOf(study.confidence)} interval`,
      align: "right",
      cell: (place) => interval(all[place].objective),
    },
    { title: "Less as written", unit: "paired by seed", align: "right", cell: (place) => interval(differences[place]) },
    { title: "Keeps to constraints", cell: (place) => verdictOf(all[place], study.constraints) },
  ];
  const shown = order.slice(0, ROWS_MAX);
  return {
    id: "candidates",
    short: "Candidates",
    title: counted(all.length, "candidate"),
    intro: `The best first${shown.length < all.length ? `; the best ${shown.length} are shown` : ""}. All run on the same seeds, so that what chance does to one it does to all.`,
    body: html`${dataTable("Candidates by the objective", shown, columns)}${figures([differencePicture(result, order)])}`,
  };
}

function verdictOf({ refusal, feasible, held }: Scored, constraints: StudyResult["study"]["constraints"]): string {
  if (refusal !== null) return `refused: ${refusal}`;
  if (feasible) return "yes";
  const broken = constraints.flatMap(({ kpi, bound: kind, limit }, k) =>
    held[k] < 1 ? [`${kpi} ${kind === "at_least" ? "≥" : "≤"} ${limit} on ${percentOf(held[k])} of the seeds`] : [],
  );
  return broken.length === 0 ? "no: the objective does not apply" : `no: ${broken.join(", ")}`;
}

function pictures(id: string, short: string, title: string, list: readonly (Picture | null)[]): Section[] {
  const body = figures(list);
  return body === null ? [] : [{ id, short, title, intro: "", body }];
}

function figures(list: readonly (Picture | null)[]): Markup | null {
  const drawn = list.filter((picture) => picture !== null).map(figure);
  return drawn.length === 0 ? null : html`${drawn}`;
}

function heldOut({ heldOut: found, study }: StudyResult): Section[] {
  if (found === null) return [];
  const decimals = objectiveDecimals(study);
  const rows = dataTable("Objective on held-out seeds", found.rows, [
    { title: "Weights", cell: ({ name }) => name },
    {
      title: objectiveLabel(study),
      align: "right",
      cell: ({ scored }) => (scored.objective === null ? "–" : estimateText(scored.objective, decimals)),
    },
    {
      title: "Best less this",
      unit: "paired by seed",
      align: "right",
      cell: ({ bestLess }) => (bestLess === null ? "–" : estimateText(bestLess, decimals)),
    },
  ]);
  return [
    {
      id: "held-out",
      short: "Held out",
      title: "On seeds that chose nothing",
      intro: `The best of many candidates is partly the luckiest. These ${found.seeds.length} seeds (${found.seeds[0]} to ${found.seeds[found.seeds.length - 1]}) had no say in the choice.`,
      body: rows,
    },
  ];
}

function bound({ bound: found, written, best, references }: StudyResult): Section[] {
  if (found === null) return [];
  const mean = (values: readonly number[]): number => {
    const used = values.slice(0, found.seeds.length);
    return used.reduce((sum, value) => sum + value, 0) / used.length;
  };
  const least = mean(found.kwh);
  const named: NamedScore[] = [
    ...(best === null ? [] : [{ name: "best candidate", scored: best.scored }]),
    { name: "as written", scored: written },
    ...references,
  ].filter(({ scored }) => scored.shortfalls.length > 0);
  const rows = [
    { name: "the bound", kwh: least },
    ...named.map(({ name, scored }) => ({ name, kwh: mean(scored.shortfalls) })),
  ];
  const how =
    found.method === "exact"
      ? "It is the solution of a linear programme over everything that the members could deliver."
      : "The fleet is too large for the linear programme: it is a proved relaxation that stands all batteries of a VPP in for one store, so that the true limit lies there or higher.";
  return [
    {
      id: "bound",
      short: "Bound",
      title: "How much weights could win at all",
      intro: `The least shortfall that any weights could have reached, mean over ${counted(found.seeds.length, "seed")}. ${how}`,
      body: html`${dataTable("Shortfall", rows, [
        { title: "Weights", cell: ({ name }) => name },
        { title: "Short", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh, 1) },
        { title: "Above the bound", unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh - least, 1) },
      ])}<ul class="notes">${BOUND_ASSUMPTIONS.map((line) => html`<li>${line}</li>`)}</ul>`,
    },
  ];
}

function method({ study }: StudyResult): Section {
  const parameters = dataTable("Parameters", study.parameters, [
    { title: "Name", cell: ({ name }) => name },
    { title: "Path", cell: ({ path }) => html`<code>${path}</code>` },
    {
      title: "As written",
      align: "right",
      cell: ({ writtenValue }) => (writtenValue === null ? "several" : parameterText(writtenValue)),
    },
    {
      title: "Varied over",
      cell: ({ choices }) =>
        choices.kind === "values"
          ? choices.values.map(parameterText).join(", ")
          : `${parameterText(choices.low)} to ${parameterText(choices.high)}`,
    },
  ]);
  const fork =
    study.forkAtMs === null
      ? ""
      : " Parameters hold from the instant of fork_at on; what came before ran as written, and the figures are those of the whole run.";
  return {
    id: "method",
    short: "Method",
    title: "How this was done",
    intro: `Intervals are Student's t at ${percentOf(study.confidence)} over ${counted(study.seeds.length, "seed")}; a constraint holds when it holds on every seed; of equal candidates the first is the best.${fork}`,
    body: parameters,
  };
}
