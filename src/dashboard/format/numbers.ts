/** Minus sign as wide as a digit. */
export const MINUS = "\u2212";

/** Commas between thousands, point before decimals, a real minus; a value that rounds to 0 has no sign. */
export function formatNumber(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  const [whole, fraction] = text.split(".");
  const sign = value < 0 && Number(text) !== 0 ? MINUS : "";
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** Items with a figure in tenths that sum to the total as it is shown; none that reads 0.0. @param key  of the figure, at least 0 */
export function shownParts<Key extends string, Item extends Readonly<Record<Key, number>>>(
  items: readonly Item[],
  key: Key,
  total: number,
): readonly Item[] {
  const shown = roundParts(
    items.map((item) => item[key]),
    total,
  );
  return items.map((item, k) => ({ ...item, [key]: shown[k] })).filter((item) => item[key] > 0);
}

/** Parts in tenths that sum to their rounded total: the largest remainders are rounded up. @param parts  at least 0 */
export function roundParts(parts: readonly number[], total: number): readonly number[] {
  const tenths = parts.map((part) => Math.floor(10 * part + 1e-9));
  const missing = Math.round(10 * total) - tenths.reduce((sum, part) => sum + part, 0);
  const remainders = parts.map((part, k) => ({ k, rest: 10 * part - tenths[k] })).sort((a, b) => b.rest - a.rest);
  for (const { k } of remainders.slice(0, Math.max(0, missing))) tenths[k]++;
  return tenths.map((part) => part / 10);
}

/** kW or kWh, one decimal. */
export const formatKw = (kw: number): string => formatNumber(kw, 1);

/** A change or a limit: positive values carry a plus. */
export const formatChange = (kw: number): string => (Number(kw.toFixed(1)) > 0 ? `+${formatKw(kw)}` : formatKw(kw));

/** Percent, one decimal. */
export const formatPct = (pct: number): string => formatNumber(pct, 1);

/** As entered: no trailing zeros. */
export const formatWeight = (weight: number): string => String(weight);

/** As few decimals as the ticks of an axis need, at most three. */
export function tickDecimals(ticks: readonly number[]): number {
  const needs = (decimals: number) =>
    ticks.every((tick) => Math.abs(tick * 10 ** decimals - Math.round(tick * 10 ** decimals)) < 1e-6);
  return [0, 1, 2].find(needs) ?? 3;
}
