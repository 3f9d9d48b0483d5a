// The lines of the account as they are printed.
import { type Kpis, kpiValue, type NumericKpiName } from "../../../accounting/kpis/kpiRegistry.ts";
import { roundByLargestRemainder } from "../../../base/roundByLargestRemainder.ts";
import { POWERS_OF_TEN } from "../../../base/rounding.ts";
import type { Scale } from "../page/format.ts";
import { moneyScale } from "../page/money.ts";
import type { PageTexts } from "../page/pageLocale.ts";

/** Sign and key figure of each line of the profit. */
export const ACCOUNT_LINES: readonly (readonly [sign: string, name: NumericKpiName])[] = [
  ["+", "capacity_jpy"],
  ["+", "award_energy_jpy"],
  ["−", "penalty_jpy"],
  ["−", "called_energy_cost_jpy"],
  ["−", "own_energy_cost_jpy"],
  ["−", "fees_jpy"],
  ["−", "wear_jpy"],
  ["=", "aggregator_margin_jpy"],
  ["−", "customer_energy_cost_jpy"],
  ["=", "profit_jpy"],
];
/** The lines above the margin, which sum to it. */
const MARGIN_LINES = ACCOUNT_LINES.slice(
  0,
  ACCOUNT_LINES.findIndex(([sign]) => sign === "="),
);

/** Amounts in the unit of the account, rounded so that the lines sum to the margin, and margin less customers' energy is the profit. */
export function printedAccount(
  kpis: Kpis,
  texts: PageTexts,
): { readonly scale: Scale; readonly amounts: ReadonlyMap<NumericKpiName, number> } {
  const scale = moneyScale(
    ACCOUNT_LINES.map(([, name]) => kpiValue(kpis, name) ?? 0),
    texts,
  );
  const perUnit = POWERS_OF_TEN[scale.decimals];
  const inUnits = (name: NumericKpiName): number => (kpiValue(kpis, name) ?? 0) * scale.factor * perUnit;
  const [margin, profit] = [Math.round(inUnits("aggregator_margin_jpy")), Math.round(inUnits("profit_jpy"))];
  const parts = Float64Array.from(MARGIN_LINES, ([sign, name]) => (sign === "+" ? inUnits(name) : -inUnits(name)));
  roundByLargestRemainder(margin, parts, parts);
  const amounts = new Map<NumericKpiName, number>([
    ...MARGIN_LINES.map(([sign, name], k) => [name, (sign === "+" ? parts[k] : -parts[k]) / perUnit] as const),
    ["aggregator_margin_jpy", margin / perUnit],
    ["customer_energy_cost_jpy", (margin - profit) / perUnit],
    ["profit_jpy", profit / perUnit],
  ]);
  return { scale, amounts };
}

/** What sentences and cards say of money: where the account is in whole units, its printed amounts. 0 where there is no such price. */
export function saidAmounts(kpis: Kpis, texts: PageTexts): (name: NumericKpiName) => number {
  const { scale, amounts } = printedAccount(kpis, texts);
  return (name) => (scale.factor === 1 ? amounts.get(name) : undefined) ?? kpiValue(kpis, name) ?? 0;
}
