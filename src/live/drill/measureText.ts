import { type Language, type LocalText, textIn } from "../../base/language.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import type { Measure } from "./drillSchema.ts";

interface MeasureText {
  readonly label: LocalText;
  /** Empty for a count. */
  readonly unit: LocalText;
  readonly decimals: number;
}

const COUNT: LocalText = { en: "", ja: "" };
const KWH: LocalText = { en: "kWh", ja: "kWh" };
const JPY: LocalText = { en: "JPY", ja: "円" };
const MINUTES: LocalText = { en: "min", ja: "分" };

const measure = (en: string, ja: string, unit: LocalText, decimals: number): MeasureText => ({
  label: { en, ja },
  unit,
  decimals,
});

export const MEASURE_TEXT: Readonly<Record<Measure, MeasureText>> = {
  shortfall_kwh: measure("Shortfall", "不足量", KWH, 1),
  shortfall_jpy: measure("Penalty for the shortfall", "不足のペナルティ", JPY, 0),
  uncovered_minutes: measure("Time with a shortfall", "不足のあった時間", MINUTES, 1),
  over_delivery_kwh: measure("Over-delivery", "超過供出量", KWH, 1),
  reaction_minutes: measure("Longest time to react to a fault", "故障への最長対応時間", MINUTES, 1),
  needless_instructions: measure("Needless instructions", "不要な指令", COUNT, 0),
  constraint_violations: measure("Batteries at an end of their SOC window", "SOC運用範囲の端に達した回数", COUNT, 0),
  refused_requests: measure("Refused requests", "拒否された要求", COUNT, 0),
  open_steps: measure("Steps not done", "未完了の手順", COUNT, 0),
  client_mistakes: measure("Failed checks of the client program", "クライアントの誤り", COUNT, 0),
};

/** The name of a measure in a drill, which says from which share of the promise on a shortfall counts. */
export function measureLabel(name: Measure, uncoveredAbovePct: number): LocalText {
  if (name !== "uncovered_minutes") return MEASURE_TEXT[name].label;
  return {
    en: `Time with a shortfall above ${uncoveredAbovePct} % of the promise`,
    ja: `約定量の${uncoveredAbovePct} %を超える不足のあった時間`,
  };
}

/** The text of a goal without a text of its own. */
export function goalText(
  name: Measure,
  { atMost, minPoints }: { readonly atMost: number | null; readonly minPoints: number | null },
  uncoveredAbovePct: number,
): LocalText {
  const { unit } = MEASURE_TEXT[name];
  const { en, ja = en } = measureLabel(name, uncoveredAbovePct);
  return {
    en: [
      ...(atMost === null ? [] : [`${en}: at most ${withUnit(String(atMost), unit, "en")}`]),
      ...(minPoints === null ? [] : [`${en}: at least ${minPoints} points of 100 between doing nothing and the best`]),
    ].join("; "),
    ja: [
      ...(atMost === null ? [] : [`${ja}：${withUnit(String(atMost), unit, "ja")}以下`]),
      ...(minPoints === null ? [] : [`${ja}：何もしない場合を0点、最善を100点として${minPoints}点以上`]),
    ].join("；"),
  };
}

/** A value of a measure with its unit, such as `12.5 min`. */
export function valueText(name: Measure, value: number, language: Language): string {
  const { unit, decimals } = MEASURE_TEXT[name];
  return withUnit(formatFixed(value, decimals), unit, language);
}

function withUnit(number: string, unit: LocalText, language: Language): string {
  const text = textIn(unit, language);
  return text === "" ? number : `${number} ${text}`;
}
