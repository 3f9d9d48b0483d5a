// What the run earned, in sentences (docs/model/report-files.md#first-screen).
import { kpiValue, type NumericKpiName } from "../../../accounting/kpis/kpiRegistry.ts";
import type { EnergyTrade } from "../../../accounting/ledger/energyTrade.ts";
import type { RunRecord } from "../../../accounting/runRecord.ts";
import { largestOf } from "../../../base/lists.ts";
import { MS_PER_DAY } from "../../../base/time.ts";
import type { TextKey } from "../../../texts/catalogue.ts";
import { investmentSentence } from "../../investmentText.ts";
import { formatEnergy, formatFixed } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import { type MoneyFormat, moneyFormat, perKwhUnit } from "../page/money.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { saidAmounts } from "./printedAccount.ts";

/** What of the margin is said in the sentence: one line of the account with its sign. */
interface Item {
  readonly key: TextKey;
  /** Earned; below 0: paid. */
  readonly amount: number;
}

/** Smaller shares of the largest item are left out of the sentence; the section on money has them. */
const ITEM_SHARE_MIN = 0.01;

/** The sentence on money; without any price, what is missing. */
export function moneySentence(record: RunRecord, locale: PageLocale): Markup {
  const { kpis, trade } = record;
  if (kpiValue(kpis, "aggregator_margin_jpy") === null) {
    const keys = html`<code>market.energy_price</code>`;
    return html`<a href="#glossary">${locale.rich("money.none", { keys })}</a>`;
  }
  const margin = saidAmounts(kpis, locale)("aggregator_margin_jpy");
  const requested = kpiValue(kpis, "requested_kwh") ?? 0;
  // Reserve, fees and wear are said in the account.
  const own = Math.abs(kpiValue(kpis, "own_energy_cost_jpy") ?? 0);
  const isTrade = itemsOf(record, locale).every(
    ({ key, amount }) => OWN.has(key) || Math.abs(amount) < ITEM_SHARE_MIN * own,
  );
  if (requested === 0 && isTrade && trade !== null && trade.boughtKwh > 0 && trade.soldKwh > 0)
    return tradeSentence(record, trade, margin, locale);
  return html`${accountSentence(record, margin, locale)}`;
}

function tradeSentence(record: RunRecord, trade: EnergyTrade, margin: number, locale: PageLocale): Markup {
  const format = moneyFormat(locale, margin);
  return locale.rich(margin < 0 ? "money.traded_loss" : "money.traded", {
    who: whoOf(record, locale),
    total: html`<b>${format.text(Math.abs(margin))}</b>`,
    span: spanOf(record, locale),
    bought: html`<b>${formatEnergy(trade.boughtKwh)}</b>`,
    low: formatFixed(trade.boughtJpy / trade.boughtKwh, 2),
    sold: html`<b>${formatEnergy(trade.soldKwh)}</b>`,
    high: formatFixed(trade.soldJpy / trade.soldKwh, 2),
    unit: perKwhUnit(locale),
  });
}

function accountSentence(record: RunRecord, margin: number, locale: PageLocale): Markup {
  const items = itemsOf(record, locale);
  const largest = largestOf([margin, ...items.map(({ amount }) => amount)].map(Math.abs));
  const format = moneyFormat(locale, largest);
  const shown = items.filter(({ amount }) => ITEM_SHARE_MIN * largest <= Math.abs(amount) && amount !== 0);
  const prices = pricesOf(record.trade, locale);
  // Prices are said once.
  const isPriced = shown.some(({ key }) => key === "money.of_sold" || key === "money.for_called");
  const textOf = ({ key, amount }: Item): string =>
    locale.t(isPriced ? key : (WITH_PRICES.get(key) ?? key), { amount: amountIn(format, amount, locale), prices });
  const gains = shown.filter(({ amount }) => amount > 0).map(textOf);
  const losses = shown.filter(({ amount }) => amount < 0).map(textOf);
  return locale.rich(sentenceKey(margin, gains.length, losses.length), {
    who: whoOf(record, locale),
    total: html`<b>${format.text(Math.abs(margin))}</b>`,
    gains: locale.formatList(gains),
    losses: locale.formatList(losses),
  });
}

const OWN: ReadonlySet<TextKey> = new Set<TextKey>(["money.of_own", "money.for_own"]);
const WITH_PRICES: ReadonlyMap<TextKey, TextKey> = new Map([
  ["money.of_own", "money.of_own_at"],
  ["money.for_own", "money.for_own_at"],
]);

/** Japanese amounts have their unit each; English ones share that of the total. */
const amountIn = (format: MoneyFormat, amount: number, { language }: PageLocale): string =>
  language === "ja" ? format.text(Math.abs(amount)) : format.number(Math.abs(amount));

function sentenceKey(margin: number, gains: number, losses: number): TextKey {
  if (margin < 0) return gains === 0 ? (losses === 0 ? "money.lost" : "money.lost_of") : "money.lost_less";
  if (gains === 0) return "money.earned";
  return losses === 0 ? "money.earned_of" : "money.earned_less";
}

function itemsOf({ kpis }: RunRecord, locale: PageLocale): readonly Item[] {
  const value = saidAmounts(kpis, locale);
  const either = (amount: number, gain: TextKey, loss: TextKey): Item => ({ key: amount < 0 ? loss : gain, amount });
  return [
    either(value("capacity_jpy") + value("award_energy_jpy"), "money.of_awards", "money.for_award_energy"),
    either(-value("called_energy_cost_jpy"), "money.of_sold", "money.for_called"),
    either(-value("own_energy_cost_jpy"), "money.of_own", "money.for_own"),
    either(-value("penalty_jpy"), "money.of_penalties", "money.of_penalties"),
    either(-value("fees_jpy"), "money.of_fees", "money.of_fees"),
    either(-value("wear_jpy"), "money.of_wear", "money.of_wear"),
  ];
}

function pricesOf(trade: EnergyTrade | null, locale: PageLocale): string {
  if (trade === null) return "";
  const [low, high] = [formatFixed(trade.lowestJpyPerKwh, 1), formatFixed(trade.highestJpyPerKwh, 1)];
  return locale.t(low === high ? "money.price" : "money.prices", { low, high, unit: perKwhUnit(locale) });
}

/** Who earned: a single battery, the VPPs, or the sites. */
function whoOf({ sites, timelines }: RunRecord, { t }: PageLocale): string {
  if (sites.length === 1 && sites[0].throughputKwh !== null) return t("money.battery");
  const names = new Set([...timelines, ...sites].map(({ vpp }) => vpp).filter((vpp) => vpp !== null));
  if (names.size === 0) return t("money.sites", { count: sites.length });
  return names.size === 1 ? t("money.vpp") : t("money.vpps", { count: names.size });
}

const SPANS: readonly (readonly [days: number, most: number, key: TextKey])[] = [
  [365, 366, "money.year"],
  [28, 31, "money.month"],
  [7, 7, "money.week"],
  [1, 1, "money.day"],
];

function spanOf({ startMs, endMs }: RunRecord, locale: PageLocale): string {
  const days = Math.round((endMs - startMs) / (MS_PER_DAY / 24)) / 24;
  const span = SPANS.find(([least, most]) => least <= days && days <= most);
  return span === undefined ? locale.formatDuration(endMs - startMs) : locale.t(span[2]);
}

/** What was settled; `null` without a settlement. */
export function settledSentence({ kpis }: RunRecord, locale: PageLocale): string | null {
  const cash = kpiValue(kpis, "settled_cash");
  if (cash === null) return null;
  const format = moneyFormat(locale, cash);
  return locale.t("money.settled", { cash: format.text(cash) });
}

/** What the batteries cost and bring, and what that assumes; `null` without the key `investment`, or without prices. */
export function investedSentence(record: RunRecord, locale: PageLocale): string | null {
  const assumes = investmentSentence(record, locale);
  const value = (name: NumericKpiName): number | null => kpiValue(record.kpis, name);
  const [investment, margin, npv] = [value("investment_jpy"), value("yearly_margin_jpy"), value("npv_jpy")];
  if (assumes === null || investment === null || margin === null || npv === null) return null;
  const text = (amount: number): string => moneyFormat(locale, amount).text(amount);
  const values = { investment: text(investment), margin: text(margin), npv: text(npv) };
  const years = value("payback_years");
  const figures =
    years === null
      ? locale.t("investment.run", values)
      : locale.t("investment.run_paid", { ...values, years: formatFixed(years, 2) });
  return `${figures} ${assumes}`;
}

/** The customers' energy and the profit; `null` where no site is a customer's, or nothing is priced by energy. */
export function customersSentence({ kpis, sites }: RunRecord, locale: PageLocale): string | null {
  const isPriced = kpiValue(kpis, "customer_energy_cost_jpy") !== null && kpiValue(kpis, "profit_jpy") !== null;
  if (!isPriced || !sites.some(({ money }) => money?.owner === "customer")) return null;
  const said = saidAmounts(kpis, locale);
  const [cost, profit] = [said("customer_energy_cost_jpy"), said("profit_jpy")];
  const format = moneyFormat(locale, Math.max(Math.abs(cost), Math.abs(profit)));
  return locale.t("money.customers", { cost: format.text(cost), profit: format.text(profit) });
}
