import type { Language, TextKey } from "../../../texts/catalogue.ts";
import { formatFixed, type Scale } from "./format.ts";
import type { PageTexts } from "./pageLocale.ts";

export type Currency = "JPY" | "EUR";

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

/** The unit of all amounts of a table or chart: whole yen below a million, else millions (docs/model/report-files.md#units). */
export function moneyScale(amounts: Iterable<number>, { t }: PageTexts): Scale {
  let largest = 0;
  for (const amount of amounts) largest = Math.max(largest, Math.abs(amount));
  return Math.round(largest) < MILLION_JPY.from
    ? { unit: t("money.unit"), factor: 1, decimals: 0 }
    : { unit: t("money.unit_million"), factor: 1e-6, decimals: 2 };
}

/** @param largest  of the amounts that stand together */
export function moneyFormat({ language, t }: PageTexts, currency: Currency, largest: number): MoneyFormat {
  const units = UNITS[currency][language];
  const size = Math.round(Math.abs(largest));
  const { factor, decimals, key } = units.find(({ from }) => from <= size) ?? WHOLE_JPY;
  const number = (amount: number): string => formatFixed(amount * factor, decimals);
  return { number, text: (amount) => t(key, { amount: number(amount) }) };
}
