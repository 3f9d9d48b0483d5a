// The report of a study as one HTML file: recommendation, its confidence, then all candidates.

import { KPI_NAMES, type KpiName, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import type { ChartSpec } from "../../report/html/charts/chart.ts";
import { dataTable, type TableColumn } from "../../report/html/page/dataTable.ts";
import { renderDocument, type Section } from "../../report/html/page/document.ts";
import { formatCount } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import { VERSION } from "../../version.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { EffectEnd, NamedCandidate, ParameterEffect, StudyResult } from "../studyResult.ts";
import { boundSection } from "./boundSection.ts";
import { candidatesSection, candidateVerdict, rankCandidates } from "./candidatesSection.ts";
import { heatMapChart } from "./heatMapChart.ts";
import { recommendation } from "./recommendation.ts";
import { paretoChart, searchChart, tornadoChart } from "./studyCharts.ts";
import { estimateCell, mergeSameSettings, renderFigures } from "./studyMarkup.ts";
import {
  domainText,
  estimateText,
  formatShare,
  meanDecimals,
  objectiveDecimals,
  objectiveLabel,
  parameterText,
} from "./studyText.ts";

/** A self-contained page: equal input gives equal bytes, and it loads no other file. */
export function renderStudyHtml(result: StudyResult): string {
  const { study } = result;
  const order = rankCandidates(result);
  return renderDocument({
    title: `${study.name} – vppsim study`,
    header: headerOf(result),
    sections: [
      recommendationSection(result),
      candidatesSection(result, order),
      ...effectsSection(result),
      ...chartsSection("front", "Trade-off", "Two figures against each other", [paretoChart(result)]),
      ...chartsSection("path", "Search", "How the best was found", [searchChart(result)]),
      ...heldOutSection(result),
      ...boundSection(result),
      methodSection(result),
    ],
    footer: html`<p>Made by vppsim ${VERSION}. The same study and scenario give this page again, byte for byte, on any number of workers. Scenario hash <code>${result.scenarioHash}</code>. Every figure of every candidate stands in study.csv.</p>`,
  });
}

function headerOf({ study, candidates: all }: StudyResult): Markup {
  return html`<p class="brand">vppsim study report</p>
<h1>${study.name}</h1>
${study.description !== "" && html`<p class="muted">${study.description}</p>`}
<ul class="facts"><li>Scenario <b>${study.scenarioName}</b></li><li>Method <b>${study.method}</b></li><li>Candidates <b>${all.length}</b></li><li>Seeds <b>${study.seeds.length}</b></li><li>Objective <b>${study.objective.direction} ${study.objective.text}</b></li></ul>`;
}

const recommendationSection = (result: StudyResult): Section => ({
  id: "summary",
  contentsTitle: "Recommendation",
  title: "Recommendation",
  intro: "",
  body: html`<div class="card lead">${recommendation(result).map((sentence) => html`<p>${sentence}</p>`)}</div>${tiles(result)}`,
});

/** KPIs of the best candidate beside those of the scenario as written. */
function tiles({ study, best, written }: StudyResult): Markup | null {
  if (best === null) return null;
  const shown = KPI_NAMES.filter((kpi) => {
    const [then, now] = [written.kpis.get(kpi), best.scored.kpis.get(kpi)];
    if (then == null || now == null) return false;
    const isSame = estimateText(then, meanDecimals(kpi)) === estimateText(now, meanDecimals(kpi));
    return !isSame || study.objective.terms.some((term) => term.kpi === kpi);
  });
  const estimate = ({ kpis }: ScoredCandidate, kpi: KpiName) => estimateCell(kpis.get(kpi) ?? null, meanDecimals(kpi));
  return dataTable<KpiName>(`Mean over the seeds and its ${formatShare(study.confidence)} interval`, shown, [
    { title: "Figure", cell: (kpi) => html`<span title="${kpiOf(kpi).meaning}">${kpiOf(kpi).label}</span>` },
    { title: "Unit", cell: (kpi) => kpiOf(kpi).unit },
    { title: "As written", align: "right", cell: (kpi) => estimate(written, kpi) },
    { title: "Best", align: "right", cell: (kpi) => estimate(best.scored, kpi) },
  ]);
}

function effectsSection(result: StudyResult): Section[] {
  const [section] = chartsSection("effects", "Effects", "What each parameter does", [
    tornadoChart(result),
    heatMapChart(result),
  ]);
  if (section === undefined) return [];
  const { study, tornado } = result;
  const decimals = objectiveDecimals(study);
  const change = (end: (effect: ParameterEffect) => EffectEnd): TableColumn<ParameterEffect>["cell"] => {
    return (effect) => {
      const { difference } = end(effect);
      return difference === null ? "refused" : estimateCell(difference, decimals);
    };
  };
  const table = dataTable("One at a time: change of the objective, mean and interval, paired by seed", tornado, [
    { title: "Parameter", cell: ({ parameter }) => parameter },
    { title: "Lowest value", align: "right", cell: ({ low }) => parameterText(low.value) },
    { title: "Change there", align: "right", cell: change(({ low }) => low) },
    { title: "Highest value", align: "right", cell: ({ high }) => parameterText(high.value) },
    { title: "Change there", align: "right", cell: change(({ high }) => high) },
  ]);
  return [{ ...section, body: tornado.length === 0 ? section.body : html`${section.body}${table}` }];
}

function chartsSection(
  id: string,
  contentsTitle: string,
  title: string,
  list: readonly (ChartSpec | null)[],
): Section[] {
  const body = renderFigures(list);
  return body === null ? [] : [{ id, contentsTitle, title, intro: "", body }];
}

function heldOutSection({ heldOut: found, study }: StudyResult): Section[] {
  if (found === null) return [];
  const decimals = objectiveDecimals(study);
  const rows = dataTable("Objective on held-out seeds", mergeSameSettings(study, found.rows), [
    { title: "Settings", cell: ({ name }) => name },
    {
      title: objectiveLabel(study),
      align: "right",
      cell: ({ scored }) => estimateCell(scored.objective, decimals),
    },
    {
      title: "Best less this",
      unit:
        found.comparisonCount > 1
          ? `by seed, all ${found.comparisonCount} at once at ${formatShare(study.confidence)}`
          : "by seed",
      align: "right",
      cell: ({ bestMinusThis }) => estimateCell(bestMinusThis, decimals),
    },
    ...(study.constraints.length === 0
      ? []
      : [
          {
            title: "Keeps to constraints",
            cell: ({ scored }: NamedCandidate) => candidateVerdict(scored, study.constraints),
          },
        ]),
  ]);
  return [
    {
      id: "held-out",
      contentsTitle: "Held out",
      title: "On seeds that chose nothing",
      intro: `The best of many candidates is partly the luckiest. These ${found.seeds.length} seeds (${found.seeds[0]} to ${found.seeds[found.seeds.length - 1]}) had no say in the choice.`,
      body: rows,
    },
  ];
}

function methodSection({ study }: StudyResult): Section {
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
      cell: ({ domain }) => domainText(study, domain),
    },
  ]);
  const fork =
    study.forkAtMs === null
      ? ""
      : " Parameters hold from the instant of fork_at on; what came before ran as written, and the figures are those of the whole run.";
  return {
    id: "method",
    contentsTitle: "Method",
    title: "How this was done",
    intro: `Intervals are Student's t at ${formatShare(study.confidence)} over ${formatCount(study.seeds.length, "seed")}, each by itself; where few seeds and rare outages meet, they cover somewhat less than that. What is said of held-out seeds holds for all comparisons there at once, and which candidates may be as good as the best for all of them at once: each takes its share of the risk (Bonferroni). A constraint holds when it holds on every seed; of equal candidates the first is the best.${fork}`,
    body: parameters,
  };
}
