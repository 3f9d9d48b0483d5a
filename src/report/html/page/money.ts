import { isMoney, type NumericKpi } from "../../../accounting/kpis/kpi.ts";
import type { Currency } from "../../../base/currency.ts";
import type { Language, TextKey } from "../../../texts/catalogue.ts";
import { formatFixed, MINUS, type Scale } from "./format.ts";
import type { PageTexts } from "./pageLocale.ts";

/** How the amounts of one sentence are written: all in the unit of the largest one (docs/model/report-files.md#units). */
export interface MoneyFormat {
  /** `61,795` */
  readonly number: (amount: number) => string;
  /** `61,795 JPY`, `151.1 million JPY`, `€61,795` */
  readonly text: (amount: number) => string;
}

interface MoneyUnit {
  readonly from: number;
  readonly factor: number;
  readonly decimals: number;
  readonly key: TextKey;
}

const WHOLE_JPY: MoneyUnit = { from: 0, factor: 1, decimals: 0, key: "money.jpy" };
const MILLION_JPY: MoneyUnit = { from: 1e6, factor: 1e-6, decimals: 1, key: "money.million_jpy" };
const OKU_JPY: MoneyUnit = { from: 1e8, factor: 1e-8, decimals: 2, key: "money.oku_jpy" };
const EUR: readonly MoneyUnit[] = [
  { from: 1e6, factor: 1e-6, decimals: 2, key: "money.million_eur" },
  { from: 0, factor: 1, decimals: 0, key: "money.eur" },
];
const UNITS: Readonly<Record<Currency, Readonly<Record<Language, readonly MoneyUnit[]>>>> = {
  JPY: { en: [MILLION_JPY, WHOLE_JPY], ja: [OKU_JPY, MILLION_JPY, WHOLE_JPY] },
  EUR: { en: EUR, ja: EUR },
};

/** The currency as a unit: `JPY`, `円` */
export const currencyUnit = ({ currency, t }: Pick<PageTexts, "currency" | "t">): string => t(`currency.${currency}`);

/** The unit of a figure: `kWh`, `JPY`, `円`, `年` */
export function figureUnit(kpi: NumericKpi, texts: Pick<PageTexts, "currency" | "t">): string {
  if (isMoney(kpi)) return currencyUnit(texts);
  return kpi.unit === "a" ? texts.t("unit.years") : kpi.unit;
}

/** The unit of prices of energy: `JPY/kWh`, `円/kWh` */
export const perKwhUnit = (texts: Pick<PageTexts, "currency" | "t">): string => `${currencyUnit(texts)}/kWh`;

/** The unit of all amounts of a table or chart: whole ones below a million, else millions (docs/model/report-files.md#units). */
export function moneyScale(amounts: Iterable<number>, texts: PageTexts): Scale {
  let largest = 0;
  for (const amount of amounts) largest = Math.max(largest, Math.abs(amount));
  return Math.round(largest) < MILLION_JPY.from
    ? { unit: currencyUnit(texts), factor: 1, decimals: 0 }
    : { unit: texts.t("money.million", { currency: currencyUnit(texts) }), factor: 1e-6, decimals: 2 };
}

/** @param largest  of the amounts that stand together */
export function moneyFormat({ language, currency, t }: PageTexts, largest: number): MoneyFormat {
  const units = UNITS[currency][language];
  const size = Math.round(Math.abs(largest));
  const { factor, decimals, key } = units.find(({ from }) => from <= size) ?? WHOLE_JPY;
  const number = (amount: number): string => formatFixed(amount * factor, decimals);
  // The sign stands before the sign of a currency.
  const text = (amount: number): string => {
    const sign = number(amount).startsWith(MINUS) ? MINUS : "";
    return `${sign}${t(key, { amount: number(Math.abs(amount)) })}`;
  };
  return { number, text };
}
