import { type Language, type LocalText, textIn } from "../../../base/language.ts";
import type { EpochMs } from "../../../base/time.ts";

/** Texts of alarms and their signs. */
const ALARM_TEXTS = {
  out: { en: "{site} is out of service", ja: "{site} が停止中" },
  link: { en: "{site} does not answer: link lost", ja: "{site} が応答しない（通信断）" },
  outside_band: {
    en: "{award}: delivered {kw} kW is outside {low} to {high} kW",
    ja: "{award}：供出量 {kw} kW が {low}～{high} kW の範囲外",
  },
  empty_soon: {
    en: "{site} is empty in {minutes}; {award} lasts {left} more",
    ja: "{site} はあと {minutes}で枯渇。{award} の残りは {left}",
  },
  full_soon: {
    en: "{site} is full in {minutes}; {award} lasts {left} more",
    ja: "{site} はあと {minutes}で満充電。{award} の残りは {left}",
  },
  empty_soon_in_common: {
    en: "{count} sites are empty before {award} ends in {left}: {site} first, in {minutes}",
    ja: "{award} の残り {left}が終わる前に {count} 拠点が枯渇：最初は {site}、{minutes}後",
  },
  full_soon_in_common: {
    en: "{count} sites are full before {award} ends in {left}: {site} first, in {minutes}",
    ja: "{award} の残り {left}が終わる前に {count} 拠点が満充電：最初は {site}、{minutes}後",
  },
  "sign.empty_soon": { en: "{site} is empty in {minutes}", ja: "{site} はあと {minutes}で枯渇" },
  "sign.full_soon": { en: "{site} is full in {minutes}", ja: "{site} はあと {minutes}で満充電" },
  "sign.held": { en: "No value since {at}", ja: "{at} 以降、値を受信していません" },
  "sign.uncovered": {
    en: "{kw} kW of {award} are uncovered since {at}",
    ja: "{at} 以降、{award} の {kw} kW が未割当",
  },
  "sign.not_delivered": {
    en: "{kw} kW dispatched for {award} are not delivered since {at}",
    ja: "{at} 以降、{award} への指令のうち {kw} kW が未達",
  },
  "sign.site_kw": { en: "{site}: {kw} kW", ja: "{site}：{kw} kW" },
  "site.incompatible": {
    en: "{site} cannot serve this product: {kw} kW missing",
    ja: "{site} はこの商品の対象外：{kw} kW 不足",
  },
  "site.refused": {
    en: "{site} refused its share: {kw} kW missing",
    ja: "{site} が配分を拒否：{kw} kW 不足",
  },
  "site.baseline_missing": {
    en: "{site} has no baseline: {kw} kW missing",
    ja: "{site} に基準値がない：{kw} kW 不足",
  },
  "site.direct_control": {
    en: "{site} is under direct control: {kw} kW missing",
    ja: "{site} は直接制御中：{kw} kW 不足",
  },
  "site.power_limit": {
    en: "{site} is at its power limit: {kw} kW missing",
    ja: "{site} が出力上限：{kw} kW 不足",
  },
  "site.energy_limit": {
    en: "{site} is at a limit of its state of charge: {kw} kW missing",
    ja: "{site} の充電率が限界：{kw} kW 不足",
  },
  "site.output_control": {
    en: "Output control at {site}: {kw} kW missing",
    ja: "{site} が出力制御中：{kw} kW 不足",
  },
  "site.other_award": {
    en: "{site} serves another award: {kw} kW missing",
    ja: "{site} は他の約定に対応中：{kw} kW 不足",
  },
  "site.ramp": {
    en: "{site} is late: {kw} kW missing (delay and ramp)",
    ja: "{site} の応動が遅れている：{kw} kW 不足",
  },
  "site.weather": {
    en: "{site} is {kw} kW below its set-point (weather)",
    ja: "{site} が制御量を {kw} kW 下回る（天候）",
  },
  "site.load_deviation": {
    en: "{site} is {kw} kW below its set-point (load deviation)",
    ja: "{site} が制御量を {kw} kW 下回る（負荷変動）",
  },
  "group.incompatible": {
    en: "{count} sites cannot serve {award}: {kw} kW missing",
    ja: "{count} 拠点が {award} の対象外：{kw} kW 不足",
  },
  "group.power_limit": {
    en: "{count} sites are at their power limit: {kw} kW of {award} missing",
    ja: "{count} 拠点が出力上限：{award} の {kw} kW 不足",
  },
  "group.energy_limit": {
    en: "{count} sites are at a limit of their state of charge: {kw} kW of {award} missing",
    ja: "{count} 拠点の充電率が限界：{award} の {kw} kW 不足",
  },
  "group.output_control": {
    en: "Output control at {count} sites: {kw} kW of {award} missing",
    ja: "{count} 拠点が出力制御中：{award} の {kw} kW 不足",
  },
  "group.other_award": {
    en: "{count} sites serve another award: {kw} kW of {award} missing",
    ja: "{count} 拠点が他の約定に対応中：{award} の {kw} kW 不足",
  },
  "group.ramp": {
    en: "{count} sites are late: {kw} kW of {award} missing (delay and ramp)",
    ja: "{count} 拠点の応動が遅れている：{award} の {kw} kW 不足",
  },
  "group.weather": {
    en: "{count} sites are below their set-point: {kw} kW of {award} missing (weather)",
    ja: "{count} 拠点が制御量を下回る：{award} の {kw} kW 不足（天候）",
  },
  "group.load_deviation": {
    en: "{count} sites are below their set-point: {kw} kW of {award} missing (load deviation)",
    ja: "{count} 拠点が制御量を下回る：{award} の {kw} kW 不足（負荷変動）",
  },
  "award.no_member": {
    en: "{kw} kW of {award} missing: no member with a weight",
    ja: "{award} の {kw} kW 不足：配分比のあるリソースがない",
  },
  "award.not_yet_known": {
    en: "{kw} kW of {award} missing, reason not yet known",
    ja: "{award} の {kw} kW 不足（原因確認中）",
  },
  "award.incompatible": {
    en: "No member can serve {award}: {kw} kW missing",
    ja: "{award} に対応できるリソースがない：{kw} kW 不足",
  },
  "award.other": { en: "{kw} kW of {award} are uncovered", ja: "{award} の {kw} kW が未割当" },
  "site.out_of_service": {
    en: "{site} is back in service and not dispatched: {kw} kW missing",
    ja: "{site} は復帰済みで未指令：{kw} kW 不足",
  },
  "site.other": { en: "{site}: {kw} kW missing", ja: "{site}：{kw} kW 不足" },
  "group.other": { en: "{count} sites: {kw} kW of {award} missing", ja: "{count} 拠点：{award} の {kw} kW 不足" },
} as const satisfies Readonly<Record<string, LocalText>>;

type AlarmTextKey = keyof typeof ALARM_TEXTS;

/** A value inside a text. Quantities and instants are written in the language and the scenario's zone. */
type AlarmValue =
  | string
  | { readonly kw: number }
  | { readonly minutes: number }
  | { readonly count: number }
  | { readonly atMs: EpochMs }
  | { readonly awardId: string };

/** A text with its values, in no language yet. */
export interface AlarmMessage {
  readonly key: AlarmTextKey;
  readonly values: Readonly<Record<string, AlarmValue>>;
}

export const alarmMessage = (key: AlarmTextKey, values: AlarmMessage["values"]): AlarmMessage => ({ key, values });

/** The text of a cause with one of the endings `site`, `group` and `award`. */
export function causeKey(place: "site" | "group" | "award", cause: string): AlarmTextKey {
  const key = `${place}.${cause}`;
  return isTextKey(key) ? key : `${place}.other`;
}

const isTextKey = (key: string): key is AlarmTextKey => Object.hasOwn(ALARM_TEXTS, key);

/** How texts are written for a reader. */
export interface AlarmReader {
  readonly language: Language;
  /** An instant as a time of day in the scenario's zone. */
  readonly clockText: (atMs: EpochMs) => string;
  readonly nameOfAward: (awardId: string) => string;
}

export function alarmText({ key, values }: AlarmMessage, reader: AlarmReader): string {
  return textIn(ALARM_TEXTS[key], reader.language).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    valueText(values[name] ?? "", reader),
  );
}

function valueText(value: AlarmValue, { language, clockText, nameOfAward }: AlarmReader): string {
  if (typeof value === "string") return value;
  if ("kw" in value) return kwText(value.kw);
  if ("count" in value) return String(value.count);
  if ("awardId" in value) return nameOfAward(value.awardId);
  return "minutes" in value ? durationText(value.minutes, language) : clockText(value.atMs);
}

/** One decimal, commas between thousands, a real minus. */
function kwText(kw: number): string {
  const [whole, tenths] = Math.abs(kw).toFixed(1).split(".");
  const sign = kw <= -0.05 ? "\u2212" : "";
  return `${sign}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",")}.${tenths}`;
}

const DURATION_TEXTS = {
  minutes: { en: "{minutes} min", ja: "{minutes}分" },
  hours: { en: "{hours} h", ja: "{hours}時間" },
  both: { en: "{hours} h {minutes} min", ja: "{hours}時間{minutes}分" },
};

/** Whole minutes below an hour, then hours and minutes. */
function durationText(minutes: number, language: Language): string {
  const whole = Math.round(minutes);
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  const text = hours === 0 ? DURATION_TEXTS.minutes : rest === 0 ? DURATION_TEXTS.hours : DURATION_TEXTS.both;
  return textIn(text, language).replace("{hours}", String(hours)).replace("{minutes}", String(rest));
}
