// A plan as one HTML file beside plan.json; the functions are in the order of the page (docs/model/planning.md#page).
import type { Polyline } from "../../accounting/recorders/polyline.ts";
import { largestOf, smallestOf, sumOf } from "../../base/lists.ts";
import { relative, resolve } from "../../base/paths.ts";
import type { EpochMs } from "../../base/time.ts";
import { renderFigure } from "../../report/html/charts/chart.ts";
import type { TimeSpan } from "../../report/html/charts/interactiveChart.ts";
import { columnPeriods, moneyColumns } from "../../report/html/charts/moneyColumns.ts";
import { timeChartSpec } from "../../report/html/charts/timeChart.ts";
import type { TimeChart } from "../../report/html/charts/timeDrawing.ts";
import { dataTable } from "../../report/html/page/dataTable.ts";
import { renderDocument, type Section } from "../../report/html/page/document.ts";
import { formatEnergy, formatFixed, formatInUnit, numberCell } from "../../report/html/page/format.ts";
import { isByMonth, localDays, shortTime } from "../../report/html/page/localDays.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import { currencyUnit, moneyFormat, moneyScale, perKwhUnit } from "../../report/html/page/money.ts";
import type { PageLocale } from "../../report/html/page/pageLocale.ts";
import { footerOf, headerOf } from "../../report/html/page/reportPage.ts";
import { VERSION } from "../../version.ts";
import type { CashDifference } from "./cashDifference.ts";
import { planAssumptions } from "./planAssumptions.ts";
import type { FoundPlan } from "./planFiles.ts";
import type { PlanPlace } from "./planPlace.ts";
import { planDaysOf } from "./planPrices.ts";
import { leftOutSites } from "./planScenario.ts";
import { differenceRows, leftOutTexts } from "./planText.ts";
import { planTotals } from "./planTotals.ts";
import { SLOT_HOURS, SLOT_MS } from "./rollingPlan.ts";

export const PLAN_PAGE = "plan.html";

interface PlanPage extends FoundPlan {
  readonly place: PlanPlace;
  /** What the run made of the plan; `null`: it was not run. */
  readonly difference: CashDifference | null;
}

/** A slot of all planned sites. */
interface PageSlot {
  readonly startMs: EpochMs;
  /** Per kWh, as it came and as it was expected. */
  readonly pricePerKwh: number;
  readonly expectedPerKwh: number;
  readonly boughtKwh: number;
  readonly soldKwh: number;
  readonly reserveCash: number;
  /** At the end, of the rated capacity. */
  readonly socPct: number;
}

interface PageContext {
  readonly page: PlanPage;
  readonly slots: readonly PageSlot[];
  readonly locale: PageLocale;
}

/** A self-contained page: equal input gives equal bytes, and no external resource is loaded. */
export function renderPlanHtml(page: PlanPage, locale: PageLocale): string {
  const { scenario } = page;
  const { t } = locale;
  const context = { page, slots: slotsOf(page), locale };
  const { name, description, timezone, language, hash, world } = scenario;
  const { seed, startMs, endMs } = world;
  const origin = {
    scenario: { name, description, timezone, language, hash, seed, startMs, endMs },
    version: VERSION,
  };
  const sections: readonly (Section | null)[] = [
    resultSection(context),
    weekSection(context),
    cashSection(context),
    assumptionsSection(context),
    runSection(context),
  ];
  return renderDocument({
    title: t("plan.title", { scenario: name }),
    locale,
    header: headerOf(origin, locale, t("plan.brand")),
    sections: sections.filter((section) => section !== null),
    footer: footerOf(origin, locale),
  });
}

function slotsOf({ scenario, options, plans }: PlanPage): readonly PageSlot[] {
  const days = planDaysOf(scenario, options);
  const ratedKwh = sumOf(plans, ({ storage }) => storage.ratedKwh);
  return days.flatMap(({ energy }, day) =>
    energy.actual.map((pricePerKwh, k) => {
      const slots = plans.map((plan) => plan.days[day].slots[k]);
      return {
        startMs: slots[0].startMs,
        pricePerKwh,
        expectedPerKwh: energy.expected[k],
        boughtKwh: SLOT_HOURS * sumOf(slots, ({ kw }) => Math.max(0, kw)),
        soldKwh: SLOT_HOURS * sumOf(slots, ({ kw }) => Math.max(0, -kw)),
        reserveCash: sumOf(slots, ({ reserveKw, reservePricePerKwSlot }) => reserveKw * reservePricePerKwSlot),
        socPct: (100 * sumOf(slots, ({ storedKwh }) => storedKwh)) / ratedKwh,
      };
    }),
  );
}

function resultSection(context: PageContext): Section {
  const { page, locale } = context;
  const { scenario, options, plans, energyAlone, place } = page;
  const { t, rich } = locale;
  const totals = planTotals(plans);
  const money = moneyFormat(locale, totals.cash);
  const alone = energyAlone === null ? null : planTotals(energyAlone).cash;
  const reserve =
    alone === null
      ? null
      : t("plan.with_reserve", { reserve: money.text(totals.reserve_cash), alone: money.text(alone) });
  const fromFolder = (path: string): string => relative(resolve(place.folder), resolve(path));
  const command = ["vppsim run scenario.yaml", ...place.patches.map((path) => `--patch ${fromFolder(path)}`)].join(" ");
  const scope = t("plan.scope", {
    sites: t("summary.sites", { count: plans.length }),
    period: locale.formatPeriod(scenario.world.startMs, scenario.world.endMs),
    zone: locale.timezone,
    cycles: formatFixed(totals.full_cycles, 1),
    foresight: capitalised(t(`plan.foresight_${options.forecast}`)),
  });
  return {
    id: "result",
    contentsTitle: t("plan.result"),
    title: t("plan.result"),
    intro: "",
    body: html`<div class="card lead"><p>${cashSentence(context, totals.cash)}</p>${reserve !== null && html`<p>${reserve}</p>`}<p class="muted">${scope}${t("caption.separator")}${page.difference === null && rich("plan.run_it", { command: html`<code>${command}</code>` })}</p></div>`,
  };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function cashSentence({ slots, locale }: PageContext, cash: number): Markup {
  const { t, rich } = locale;
  const total = html`<b>${moneyFormat(locale, cash).text(Math.abs(cash))}</b>`;
  const [boughtKwh, soldKwh] = [sumOf(slots, (slot) => slot.boughtKwh), sumOf(slots, (slot) => slot.soldKwh)];
  const [bought, sold] = [boughtKwh, soldKwh].map((kwh) => html`<b>${formatEnergy(kwh)}</b>`);
  if (boughtKwh === 0 && soldKwh === 0) return html`${t("plan.nothing")}`;
  if (soldKwh === 0) return rich("plan.only_bought", { cash: total, bought });
  if (boughtKwh === 0) return rich("plan.only_sold", { cash: total, sold });
  return rich(cash < 0 ? "plan.lost" : "plan.earned", {
    cash: total,
    bought,
    sold,
    low: formatFixed(sumOf(slots, (slot) => slot.boughtKwh * slot.pricePerKwh) / boughtKwh, 2),
    high: formatFixed(sumOf(slots, (slot) => slot.soldKwh * slot.pricePerKwh) / soldKwh, 2),
    unit: perKwhUnit(locale),
  });
}

const DAYS_SHOWN = 7;

/** Price, power and state of charge under each other: of the week with the most cash. */
function weekSection(context: PageContext): Section {
  const { page, locale, slots } = context;
  const { t } = locale;
  const days = page.plans[0].days;
  const first = bestWeek(days.map((_, day) => sumOf(page.plans, (plan) => cashOfDay(plan.days[day]))));
  const isWhole = days.length <= DAYS_SHOWN;
  const startMs = isWhole ? page.scenario.world.startMs : days[first].startMs;
  const endMs = isWhole ? page.scenario.world.endMs : (days[first + DAYS_SHOWN]?.startMs ?? page.scenario.world.endMs);
  const span = { startMs, endMs };
  const shown = slots.filter((slot) => startMs <= slot.startMs && slot.startMs < endMs);
  const day = shortTime(startMs, locale);
  const charts = [
    priceChart(shown, span, context),
    powerChart(shown, span, context),
    socChart(shown, span, { ...context, startPct: socBefore(startMs, context) }),
  ];
  return {
    id: "week",
    contentsTitle: t("plan.whole"),
    title: t("plan.whole"),
    intro: isWhole ? "" : t("plan.week", { day }),
    body: html`<div>${charts.map((chart) => renderFigure(timeChartSpec(chart)))}</div>`,
  };
}

type Day = PlanPage["plans"][number]["days"][number];

const cashOfDay = ({ energyAmount, feeAmount, reserveAmount }: Day): number => energyAmount + feeAmount + reserveAmount;

/** The first day of the seven with the largest sum. */
function bestWeek(cash: readonly number[]): number {
  let [best, largest] = [0, Number.NEGATIVE_INFINITY];
  for (let first = 0; first + DAYS_SHOWN <= cash.length; first++) {
    const sum = sumOf(cash.slice(first, first + DAYS_SHOWN));
    if (largest < sum) [best, largest] = [first, sum];
  }
  return best;
}

/** Constant in each slot. */
const stepsOf = (slots: readonly PageSlot[], of: (slot: PageSlot) => number): Polyline => ({
  atMs: Float64Array.from(slots.flatMap(({ startMs }) => [startMs, startMs + SLOT_MS])),
  values: Float64Array.from(slots.flatMap((slot) => [of(slot), of(slot)])),
  thinnedMs: 0,
});

type ChartContext = Pick<PageContext, "locale" | "page">;

const chartOf = (
  span: TimeSpan,
  { locale }: ChartContext,
  chart: Pick<TimeChart, "id" | "title" | "caption" | "axisTitle" | "curves">,
): TimeChart => {
  const values = chart.curves.flatMap(({ curve }) => [smallestOf(curve.values), largestOf(curve.values)]);
  const [low, high] = [smallestOf(values), largestOf(values)].map((value) => formatFixed(value, 1));
  const altText = locale.t("plan.range_alt", { title: chart.axisTitle, low, high });
  return { ...chart, altText, locale, span, rows: [], shades: [] };
};

function priceChart(slots: readonly PageSlot[], span: TimeSpan, context: ChartContext): TimeChart {
  const { locale } = context;
  const { t } = locale;
  const unit = perKwhUnit(locale);
  const actual = {
    label: t("plan.actual"),
    colour: "ink",
    unit,
    curve: stepsOf(slots, ({ pricePerKwh }) => pricePerKwh),
  } as const;
  const hasForecast = slots.some(({ pricePerKwh, expectedPerKwh }) => pricePerKwh !== expectedPerKwh);
  const expected = {
    label: t("plan.expected"),
    colour: "s2",
    unit,
    isDashed: true,
    curve: stepsOf(slots, (slot) => slot.expectedPerKwh),
  } as const;
  return chartOf(span, context, {
    id: "price",
    title: t("plan.price"),
    caption: t("plan.price_caption", { unit, zone: locale.zoneText }),
    axisTitle: t("chart.price_axis", { unit }),
    curves: hasForecast ? [actual, expected] : [actual],
  });
}

function powerChart(slots: readonly PageSlot[], span: TimeSpan, context: ChartContext): TimeChart {
  const { t, zoneText: zone } = context.locale;
  const curve = stepsOf(slots, ({ boughtKwh, soldKwh }) => (boughtKwh - soldKwh) / SLOT_HOURS);
  return chartOf(span, context, {
    id: "power",
    title: t("plan.power"),
    caption: t("plan.power_caption", { count: context.page.plans.length, zone }),
    axisTitle: t("chart.power_axis"),
    curves: [{ label: t("plan.power"), colour: "s1", unit: "kW", curve, isFilled: true }],
  });
}

/** State of charge at the start of a slot. */
function socBefore(atMs: EpochMs, { page: { plans }, slots }: PageContext): number {
  const before = slots.findLast(({ startMs }) => startMs < atMs);
  if (before !== undefined) return before.socPct;
  return (100 * sumOf(plans, ({ storage }) => storage.initialKwh)) / sumOf(plans, ({ storage }) => storage.ratedKwh);
}

/** Linear within a slot. */
function socChart(
  slots: readonly PageSlot[],
  span: TimeSpan,
  context: ChartContext & { readonly startPct: number },
): TimeChart {
  const { t, zoneText: zone } = context.locale;
  const curve = {
    atMs: Float64Array.of(span.startMs, ...slots.map(({ startMs }) => startMs + SLOT_MS)),
    values: Float64Array.of(context.startPct, ...slots.map(({ socPct }) => socPct)),
    thinnedMs: 0,
  };
  return chartOf(span, context, {
    id: "soc",
    title: t("chart.soc"),
    caption: t("plan.soc_caption", { zone }),
    axisTitle: t("chart.soc_axis"),
    curves: [{ label: t("chart.soc"), colour: "s3", unit: "%", curve }],
  });
}

/** What the plan sells and buys, with fees and reserve, by day; by month over 62 days. */
function cashSection({ page, slots, locale }: PageContext): Section | null {
  const { t } = locale;
  const days = localDays(page.scenario.world, locale);
  if (days.length < 2) return null;
  const title = t(isByMonth(days) ? "plan.cash_by_month" : "plan.cash_by_day");
  const periods = columnPeriods(days, locale);
  const valuesOf = (of: (slot: PageSlot) => number): number[] =>
    periods.map(({ startMs, endMs }) =>
      sumOf(
        slots.filter((slot) => startMs <= slot.startMs && slot.startMs < endMs),
        of,
      ),
    );
  const { feePerKwh } = page.options;
  const sold = valuesOf((slot) => slot.soldKwh * slot.pricePerKwh);
  const bought = valuesOf((slot) => -slot.boughtKwh * slot.pricePerKwh);
  const fees = valuesOf((slot) => -(slot.soldKwh + slot.boughtKwh) * feePerKwh);
  const reserve = valuesOf((slot) => slot.reserveCash);
  const cash = periods.map((_, k) => sold[k] + bought[k] + fees[k] + reserve[k]);
  const hasAny = (values: readonly number[]): boolean => values.some((value) => value !== 0);
  const scale = moneyScale([...sold, ...bought, ...reserve, ...cash], locale);
  const most = largestOf(cash);
  const largest = { period: periods[cash.indexOf(most)].fullLabel, amount: formatInUnit(most, scale) };
  const chart = moneyColumns(periods, scale, {
    id: "cash",
    title,
    caption: t("plan.cash_caption", { largest: t("months.largest", largest) }),
    series: [
      { label: t("plan.sold"), colour: "h4", values: sold },
      ...(hasAny(reserve) ? [{ label: t("plan.reserve"), colour: "h2" as const, values: reserve }] : []),
      { label: t("plan.bought"), colour: "b2", values: bought },
      ...(hasAny(fees)
        ? [{ label: t("plan.fees"), colour: "h3" as const, shape: "hatch" as const, values: fees }]
        : []),
      { label: t("plan.cash"), colour: "ink", shape: "line", values: cash },
    ],
  });
  return { id: "cash-section", contentsTitle: title, title, intro: "", body: renderFigure(chart) };
}

function assumptionsSection({ page, locale }: PageContext): Section {
  const { scenario, options, plans } = page;
  const { t } = locale;
  const leftOut = leftOutTexts(leftOutSites(scenario, options.sites, locale), locale);
  const terms = [
    ...planAssumptions(plans, options, scenario, locale),
    ...(leftOut.length === 0 ? [] : [[t("plan.print_left_out"), leftOut.join(t("clause.separator"))] as const]),
  ];
  return {
    id: "assumptions",
    contentsTitle: t("plan.assumptions"),
    title: t("plan.assumptions"),
    intro: "",
    body: html`<div class="card"><dl class="words">${terms.map(([name, text]) => html`<dt>${capitalised(name)}</dt><dd>${text}</dd>`)}</dl></div>`,
  };
}

function runSection({ page, locale }: PageContext): Section | null {
  const { difference, plans } = page;
  if (difference === null) return null;
  const { t } = locale;
  const rows = differenceRows(planTotals(plans), difference);
  const title = t("plan.run");
  return {
    id: "run",
    contentsTitle: title,
    title,
    intro: t("plan.run_intro"),
    body: dataTable(title, rows, [
      { title: t("reconciliation.line"), cell: ({ key }) => capitalised(t(key)) },
      {
        title: t("plan.amount"),
        unit: currencyUnit(locale),
        align: "right",
        cell: ({ amount }) => numberCell(amount, 0),
      },
    ]),
  };
}
