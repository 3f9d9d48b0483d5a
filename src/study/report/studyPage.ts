// The report of a study as one HTML file; the functions are in the order of the page (docs/model/studies.md#page).

import { kpiOf, NUMERIC_KPI_NAMES, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { smallestOf } from "../../base/lists.ts";
import { type ChartSpec, renderFigure } from "../../report/html/charts/chart.ts";
import { captionOf } from "../../report/html/charts/timeChart.ts";
import { dataTable, type TableColumn } from "../../report/html/page/dataTable.ts";
import { renderDocument, type Section } from "../../report/html/page/document.ts";
import { formatFixed, numberCell } from "../../report/html/page/format.ts";
import { type Content, html, type Markup } from "../../report/html/page/markup.ts";
import { figureUnit } from "../../report/html/page/money.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import { VERSION } from "../../version.ts";
import { COMPARED_SEEDS_MIN } from "../allocation/selectBest.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { isRace, RACE_SEEDS_MIN, TAIL_SEEDS_MIN } from "../study.ts";
import type { NamedCandidate, StudyResult } from "../studyResult.ts";
import { boundSection, boundSentences } from "./boundSection.ts";
import {
  candidatesSection,
  estimateCell,
  feasibilityText,
  mergeSameSettings,
  rankCandidates,
  renderCharts,
} from "./candidatesSection.ts";
import { effectsSection } from "./effectsSection.ts";
import { costSentence, isRaced, raceKind, sizeOf } from "./raceText.ts";
import {
  chosenSettings,
  evidence,
  investmentNote,
  isAdvised,
  roundedSentence,
  sideEffectText,
  verdict,
} from "./recommendation.ts";
import { candidatesChart, paretoChart, roundsChart, searchChart } from "./studyCharts.ts";
import {
  domainText,
  estimateText,
  formatShare,
  meanDecimals,
  objectiveDecimals,
  objectiveLabel,
  parameterText,
  parameterValue,
  ruleText,
  signedText,
} from "./studyText.ts";

/** A self-contained page: equal input gives equal bytes, and no external resource is loaded. */
export function renderStudyHtml(result: StudyResult, texts: PageTexts): string {
  const { study } = result;
  const { t, rich } = texts;
  const order = rankCandidates(result);
  const sections: readonly (Section | null)[] = [
    summarySection(result, order, texts),
    evidenceSection(result, texts),
    boundSection(result, texts),
    candidatesSection(result, order, texts),
    effectsSection(result, texts),
    chartSection(
      "front",
      t(study.pareto?.length === 3 ? "study.trade_off_three" : "study.trade_off"),
      paretoChart(result, texts),
    ),
    chartSection("path", t("study.search"), searchChart(result, texts)),
    methodSection(result, texts),
  ];
  return renderDocument({
    title: t("study.title", { study: study.name }),
    locale: texts,
    header: headerOf(result, texts),
    sections: sections.filter((section) => section !== null),
    footer: html`<p>${rich("study.footer", { version: VERSION, hash: html`<code>${result.scenarioHash}</code>` })}</p>`,
  });
}

function headerOf(result: StudyResult, texts: PageTexts): Markup {
  const { study, candidates } = result;
  const { t, rich } = texts;
  const bold = (content: Content): Markup => html`<b>${content}</b>`;
  const objective = t(`study.${study.objective.direction}`, { figure: study.objective.text });
  const facts = [
    rich("study.fact_scenario", { name: bold(study.scenarioName) }),
    rich("study.fact_method", { method: bold(t(`study.method_${study.method}`)) }),
    rich("study.fact_candidates", { number: bold(String(candidates.length)) }),
    rich("study.fact_seeds", {
      number: bold(isRaced(result) ? sizeOf(result, texts).seeds : String(study.seeds.length)),
    }),
    rich("study.fact_objective", { objective: bold(objective) }),
  ];
  return html`<p class="brand">${t("study.brand")}</p>
<h1>${study.name}</h1>
${study.description !== "" && html`<p class="muted">${study.description}</p>`}
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`;
}

/** The first screen: what to do, what the candidates bring, and the figures before and after. */
function summarySection(result: StudyResult, order: readonly number[], texts: PageTexts): Section {
  const { t } = texts;
  const [first, ...others] = verdict(result, texts);
  const chart = candidatesChart(result, order, texts);
  const settings = result.best === null ? null : settingsTable(result, texts);
  return {
    id: "summary",
    contentsTitle: t("study.recommendation"),
    title: t("study.recommendation"),
    intro: "",
    body: html`<div class="card lead"><p>${first}</p>${others.length > 0 && html`<p>${captionOf(others, t)}</p>`}<p class="muted">${scopeText(result, texts)}</p></div>
<div class="pair uneven">${chart !== null && renderFigure(chart)}${settings}</div>${figureTables(result, texts)}`,
  };
}

/** What was tried, how the weights were rounded, and how to apply the result. */
function scopeText(result: StudyResult, texts: PageTexts): Markup {
  const { study, written } = result;
  const { t, rich } = texts;
  const gap = t("caption.separator");
  const isPriced = written.refusal !== null || written.kpis.get("aggregator_margin_jpy") != null;
  const unpriced = !isPriced && html`${gap}${rich("money.none", { keys: html`<code>market.energy_price</code>` })}`;
  const text = captionOf(
    [
      t(`study.scope${raceKind(result)}`, { ...sizeOf(result, texts), scenario: study.scenarioName }),
      ...roundedSentence(result, texts),
      investmentNote(result, texts),
    ],
    t,
  );
  if (!isAdvised(result)) return html`${text}${unpriced}`;
  const command = html`<code>${result.applyCommand}</code>`;
  return html`${text}${unpriced}${gap}${rich("study.apply", { command })}`;
}

/** The parameters as written and as best.patch.yaml has them, and what gets worse by them. */
function settingsTable(result: StudyResult, texts: PageTexts): Markup {
  const { study, rounded } = result;
  const { t } = texts;
  const chosen = chosenSettings(result);
  const table = dataTable(t("study.settings"), study.parameters, [
    { title: t("study.parameter"), cell: ({ name }) => name },
    {
      title: t("compare.as_written"),
      align: "right",
      cell: (parameter) =>
        parameter.writtenValue === null ? t("study.several") : parameterText(parameter, parameter.writtenValue, texts),
    },
    {
      title: t(rounded === null ? "study.best" : "study.best_rounded"),
      align: "right",
      cell: (parameter) => parameterText(parameter, parameterValue(parameter, chosen), texts),
    },
  ]);
  const worse = sideEffectText(result, texts);
  return html`<div>${table}${worse !== "" && html`<p class="muted">${worse}</p>`}</div>`;
}

const FIRST_FIGURES: readonly NumericKpiName[] = [
  "shortfall_kwh",
  "aggregator_margin_jpy",
  "penalty_jpy",
  "revenue_jpy",
  "payback_years",
  "npv_jpy",
];

/** Figures as written, best, and their difference; all others that differ are folded. */
function figureTables(result: StudyResult, texts: PageTexts): Markup | null {
  const { study, best, written } = result;
  if (best === null) return null;
  const { t } = texts;
  const inObjective = (kpi: NumericKpiName): boolean => study.objective.terms.some((term) => term.kpi === kpi);
  const differing = NUMERIC_KPI_NAMES.filter((kpi) => {
    const [before, after] = [written.kpis.get(kpi), best.scored.kpis.get(kpi)];
    if (before == null || after == null) return (before ?? null) !== (after ?? null);
    return (
      inObjective(kpi) ||
      estimateText(before, meanDecimals(kpi), texts) !== estimateText(after, meanDecimals(kpi), texts)
    );
  });
  const first = [...new Set([...differing.filter(inObjective), ...FIRST_FIGURES])].filter((kpi) =>
    differing.includes(kpi),
  );
  const values = { share: formatShare(study.confidence), count: best.scored.seedCount };
  const caption = t("study.figures", values);
  const others = differing.filter((kpi) => !first.includes(kpi));
  return html`${figureTable(caption, first, { result, texts })}${
    others.length > 0 &&
    html`<details><summary>${t("study.figures_other")}</summary>${figureTable(t("study.figures_other"), others, { result, texts })}</details>`
  }`;
}

interface StudyContext {
  readonly result: StudyResult;
  readonly texts: PageTexts;
}

function figureTable(caption: string, kpis: readonly NumericKpiName[], { result, texts }: StudyContext): Markup {
  const { best, written, study } = result;
  const { t } = texts;
  const columnsOf = (title: string, scored: ScoredCandidate | undefined): TableColumn<NumericKpiName>[] => {
    const estimateOf = (kpi: NumericKpiName): Estimate | null => scored?.kpis.get(kpi) ?? null;
    const cell = (kpi: NumericKpiName) => intervalText(estimateOf(kpi), meanDecimals(kpi), texts);
    return [
      { title, align: "right", cell: (kpi) => numberCell(estimateOf(kpi)?.mean ?? null, meanDecimals(kpi)) },
      ...(study.seeds.length < 2 ? [] : [{ title: t("study.interval_head"), align: "right" as const, cell }]),
    ];
  };
  return dataTable<NumericKpiName>(caption, kpis, [
    {
      title: t("compare.figure"),
      cell: (kpi) => html`<span title="${t(`kpi.${kpi}.meaning`)}">${t(`kpi.${kpi}.label`)}</span>`,
    },
    { title: t("compare.unit"), cell: (kpi) => figureUnit(kpiOf(kpi), texts) },
    ...columnsOf(t("compare.as_written"), written),
    ...columnsOf(t("study.best"), best?.scored),
    {
      title: t("compare.difference"),
      align: "right",
      cell: (kpi) => {
        const [before, after] = [written.kpis.get(kpi)?.mean, best?.scored.kpis.get(kpi)?.mean];
        if (before === undefined || after === undefined) return "–";
        const difference = after - before;
        return html`<data value="${difference}">${signedText(difference, meanDecimals(kpi))}</data>`;
      },
    },
  ]);
}

function intervalText(estimate: Estimate | null, decimals: number, { t }: PageTexts): string {
  if (estimate === null || estimate.low === null || estimate.high === null) return "–";
  return t("study.interval", { low: formatFixed(estimate.low, decimals), high: formatFixed(estimate.high, decimals) });
}

/** Sentences on intervals and held-out seeds, with the objective on these. */
function evidenceSection(result: StudyResult, texts: PageTexts): Section | null {
  const sentences = [...evidence(result, texts), ...boundSentences(result, texts)];
  const { heldOut } = result;
  if (sentences.length === 0 && heldOut === null) return null;
  const { t } = texts;
  return {
    id: "evidence",
    contentsTitle: t("study.evidence"),
    title: t("study.evidence"),
    intro: "",
    body: html`<div class="card">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>${heldOut !== null && heldOutBody(result, heldOut, texts)}`,
  };
}

function heldOutBody(result: StudyResult, heldOut: NonNullable<StudyResult["heldOut"]>, texts: PageTexts): Markup {
  const { study } = result;
  const { t } = texts;
  const decimals = objectiveDecimals(study);
  const { comparisonCount: count, seeds } = heldOut;
  const seedCounts = heldOut.rows.map(({ scored }) => scored.seedCount);
  const rows = heldOut.rows.map((row) => ({ ...row, name: ruleText(row.name, texts) }));
  const table = dataTable(t("study.held_out_table"), mergeSameSettings(study, rows, texts), [
    { title: t("study.settings"), cell: ({ name }) => name },
    {
      title: objectiveLabel(study, texts),
      align: "right",
      cell: ({ scored }) => estimateCell(scored.objective, decimals, texts),
    },
    {
      title: t("study.best_less_this"),
      unit: count > 1 ? t("study.paired_all", { count, share: formatShare(study.confidence) }) : t("study.paired"),
      align: "right",
      cell: ({ bestMinusThis }) => estimateCell(bestMinusThis, decimals, texts),
    },
    ...(study.constraints.length === 0
      ? []
      : [
          {
            title: t("study.feasible"),
            cell: ({ scored }: NamedCandidate) => feasibilityText(scored, study.constraints, texts),
          },
        ]),
  ]);
  const fewest = smallestOf(seedCounts);
  const fewer = fewest < seeds.length ? t("study.held_out_rules", { count: fewest }) : "";
  const values = { count: seeds.length, first: String(seeds[0]), last: String(seeds[seeds.length - 1]) };
  return html`<h3>${t("study.held_out")}</h3><p class="muted">${captionOf([t("study.held_out_intro", values), fewer], t)}</p>${table}`;
}

function chartSection(id: string, title: string, chart: ChartSpec | null): Section | null {
  const body = renderCharts([chart]);
  return body === null ? null : { id, contentsTitle: title, title, intro: "", body };
}

function methodSection(result: StudyResult, texts: PageTexts): Section {
  const { study } = result;
  const { t } = texts;
  const parameters = dataTable(t("study.parameters"), study.parameters, [
    { title: t("study.name"), cell: ({ name }) => name },
    { title: t("study.path"), cell: ({ path }) => html`<code>${path}</code>` },
    {
      title: t("compare.as_written"),
      align: "right",
      cell: (parameter) =>
        parameter.writtenValue === null ? t("study.several") : parameterText(parameter, parameter.writtenValue, texts),
    },
    { title: t("study.varied_over"), cell: (parameter) => domainText(study, parameter, texts) },
  ]);
  const isTooShort = study.allocation === "race" && !isRace(study) && 1 < study.seeds.length;
  const values = { share: formatShare(study.confidence), count: study.seeds.length, seeds: COMPARED_SEEDS_MIN };
  return {
    id: "method",
    contentsTitle: t("study.method"),
    title: t("study.method"),
    intro: captionOf(
      [
        t(isRaced(result) ? "study.method_raced" : "study.method_intro", values),
        study.objective.worstPct === null ? "" : t("study.method_tail", { count: TAIL_SEEDS_MIN }),
        costSentence(result, texts),
        isTooShort ? t("study.method_few_seeds", { count: RACE_SEEDS_MIN }) : "",
        study.forkAtMs === null ? "" : t("study.method_fork"),
      ],
      t,
    ),
    body: html`${renderCharts([roundsChart(result, texts)])}${parameters}`,
  };
}
