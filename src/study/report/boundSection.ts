// What no weights can do: the bound on the shortfall, where the shortfall is the objective.
import { dataTable } from "../../report/html/page/dataTable.ts";
import type { Section } from "../../report/html/page/document.ts";
import { formatKwh, numberCell } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import { BOUND_ASSUMPTIONS, type StudyBound } from "../bound/studyBound.ts";
import { objectiveKpi } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";
import { mergeSameSettings } from "./candidatesSection.ts";
import { isRaced } from "./raceText.ts";
import { boundMeans, meanShortfallKwh, ruleText } from "./studyText.ts";

interface BoundRow {
  readonly name: string;
  readonly kwh: number;
}

/** The bound counts in kWh: of an objective in another unit it says nothing. */
const hasBound = ({ study, bound }: StudyResult): boolean =>
  bound !== null && objectiveKpi(study) === "shortfall_kwh" && study.objective.worstPct === null;

/** The upper bound on the improvement from re-weighting, and the effect of relaxing outages, energy or power. */
export function boundSection(result: StudyResult, texts: PageTexts): Section | null {
  const { bound, bestBound } = result;
  if (bound === null || !hasBound(result)) return null;
  const { t } = texts;
  const title = t("bound.title");
  const rows = [{ name: t("bound.lower"), kwh: boundMeans(bound).boundKwh }, ...shortfallRows(result, bound, texts)];
  const ofBest =
    bestBound !== null &&
    html`${gapTable(t("bound.best_gap"), bestRows(result, bestBound, texts), texts)}${relaxationTable(t("bound.best_relaxation"), bestBound, texts)}`;
  return {
    id: "bound",
    contentsTitle: title,
    title,
    intro: t(bound.method === "exact" ? "bound.exact" : "bound.relaxed", { count: bound.seeds.length }),
    body: html`${gapTable(t("bound.shortfall"), rows, texts)}${relaxationTable(t("bound.relaxation"), bound, texts)}${ofBest}<ul class="notes">${BOUND_ASSUMPTIONS.map((key) => html`<li>${t(key)}</li>`)}</ul>`,
  };
}

/** Without the best candidate if it changes more than weights: `bestRows` then has it with its own bound. */
function shortfallRows(
  { study, best, bestBound, written, references }: StudyResult,
  bound: StudyBound,
  texts: PageTexts,
): BoundRow[] {
  const settings = mergeSameSettings(
    study,
    [
      ...(best === null || bestBound !== null ? [] : [{ name: "best", scored: best.scored }]),
      { name: "as written", scored: written },
      ...references,
    ].map((row) => ({ ...row, name: ruleText(row.name, texts) })),
    texts,
  );
  return settings.flatMap(({ name, scored }) => {
    const kwh = meanShortfallKwh(bound, scored);
    return kwh === null ? [] : [{ name, kwh }];
  });
}

/** @param rows a bound, followed by the shortfalls to compare with it */
function gapTable(caption: string, rows: readonly BoundRow[], { t }: PageTexts): Markup {
  const [{ kwh: boundKwh }] = rows;
  return dataTable(caption, rows, [
    { title: t("bound.weights"), cell: ({ name }) => name },
    { title: t("bound.shortfall"), unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh, 1) },
    { title: t("bound.above"), unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh - boundKwh, 1) },
  ]);
}

function bestRows({ best }: StudyResult, bound: StudyBound, { t }: PageTexts): BoundRow[] {
  const kwh = best === null ? null : meanShortfallKwh(bound, best.scored);
  const bestRow = kwh === null ? [] : [{ name: t("study.best"), kwh }];
  return [{ name: t("bound.lower_settings"), kwh: boundMeans(bound).boundKwh }, ...bestRow];
}

function relaxationTable(caption: string, bound: StudyBound, { t }: PageTexts): Markup {
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(bound);
  const rows: BoundRow[] = [
    { name: t("bound.no_relaxation"), kwh: boundKwh },
    { name: t("bound.no_outages"), kwh: withoutOutagesKwh },
    { name: t("bound.unlimited_energy"), kwh: unlimitedEnergyKwh },
    { name: t("bound.unlimited_power"), kwh: unlimitedPowerKwh },
  ];
  return dataTable(caption, rows, [
    { title: t("bound.relaxed_head"), cell: ({ name }) => name },
    { title: t("bound.least"), unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(kwh, 1) },
    { title: t("bound.improvement"), unit: "kWh", align: "right", cell: ({ kwh }) => numberCell(boundKwh - kwh, 1) },
  ]);
}

/** The possible improvement from weights, and from relaxations beyond weights. */
export function boundSentences(result: StudyResult, { t }: PageTexts): string[] {
  const { bound, bestBound, best } = result;
  const usedBound = bestBound ?? bound;
  if (usedBound === null || best === null || !hasBound(result)) return [];
  if (usedBound.coveredRequestKwh === 0) return [t("bound.none")];
  const shortfallKwh = meanShortfallKwh(usedBound, best.scored);
  if (shortfallKwh === null) return [];
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(usedBound);
  const kwh = { bound: formatKwh(boundKwh), best: formatKwh(shortfallKwh) };
  const lessKwh = (otherKwh: number): string => formatKwh(Math.max(0, boundKwh - otherKwh));
  return [
    t(bestBound === null ? "bound.sentence" : "bound.sentence_settings", {
      ...kwh,
      gap: formatKwh(Math.max(0, shortfallKwh - boundKwh)),
    }),
    ...(usedBound.method === "relaxed" ? [t("bound.may_be_higher")] : []),
    ...(isRaced(result) ? [t("bound.on_seeds", { count: usedBound.seeds.length })] : []),
    ...coverageSentence(result, usedBound, t),
    ...(boundKwh < 0.05
      ? []
      : [
          t("bound.remaining", {
            bound: kwh.bound,
            outages: lessKwh(withoutOutagesKwh),
            energy: lessKwh(unlimitedEnergyKwh),
            power: lessKwh(unlimitedPowerKwh),
          }),
        ]),
  ];
}

/** The part of the requested energy that the bound covers, if it is not all. */
function coverageSentence(
  { written }: StudyResult,
  { coveredRequestKwh }: StudyBound,
  t: PageTexts["t"],
): readonly string[] {
  const requestedKwh = written.kpis.get("requested_kwh")?.mean ?? coveredRequestKwh;
  return requestedKwh - coveredRequestKwh <= 1e-3 * requestedKwh
    ? []
    : [t("bound.covered", { covered: formatKwh(coveredRequestKwh), requested: formatKwh(requestedKwh) })];
}
