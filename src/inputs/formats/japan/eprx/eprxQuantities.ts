import { ownValue } from "../../../../base/ownValue.ts";
/** The quantity in a row of a result file. */
export interface EprxQuantity {
  readonly stem: string;
  readonly unit: string;
  /** Of prices: the awarded volume whose absence means that there is no price. */
  readonly volume?: string;
}

const SCOPES = [
  { text: "(電源属地別)", prefix: "" },
  { text: "(TSO別)", prefix: "tso_" },
  { text: "", prefix: "" },
] as const;

const VOLUMES: Readonly<Record<string, EprxQuantity>> = {
  募集量: { stem: "requested_mw", unit: "MW" },
  応札量合計: { stem: "offered_mw", unit: "MW" },
  落札量合計: { stem: "awarded_mw", unit: "MW" },
  応札件数: { stem: "offers", unit: "" },
  落札件数: { stem: "awards", unit: "" },
};
const STATISTICS: Readonly<Record<string, string>> = {
  最高落札価格: "price_max",
  最低落札価格: "price_min",
  平均落札価格: "price_mean",
};
const OWN_AREA = "(内訳)自エリアからの落札量[MW]";

/**
 * The quantity of a row by its normalised name; parts of a final file write 約定 for 落札. Files of 2021 print JPY/kW
 * without a period, and so do their roles.
 *
 * @returns `null` for an unknown name
 */
export function quantityOf(name: string): EprxQuantity | null {
  const text = name.replaceAll("約定", "落札");
  if (text === OWN_AREA) return { stem: "tso_own_area_mw", unit: "MW" };
  const match = /^([^([]+)(\([^)]*\))?\[([^\]]+)\]$/.exec(text);
  const scope = SCOPES.find((candidate) => candidate.text === (match?.[2] ?? ""));
  if (match === null || scope === undefined) return null;
  const [, what, , unit] = match;
  const volume = ownValue(VOLUMES, what);
  // The requested volume always belongs to the buying grid operator.
  if (volume !== undefined)
    return { ...volume, stem: what === "募集量" ? volume.stem : `${scope.prefix}${volume.stem}` };
  const statistic = ownValue(STATISTICS, what);
  if (statistic === undefined) return null;
  const isPerHalfHour = unit === "円/kW・30分";
  return {
    stem: `${scope.prefix}${statistic}_${isPerHalfHour ? "jpy_per_kw_30min" : "jpy_per_kw"}`,
    unit: isPerHalfHour ? "JPY/kW per 30 min" : "JPY/kW",
    volume: `${scope.prefix}awarded_mw`,
  };
}
