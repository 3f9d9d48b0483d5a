import { findRoute } from "../../api/endpoints/routes.ts";
import { type Language, type LocalText, textIn } from "../../base/language.ts";
import type { RefusalKind } from "../../base/result.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import type { Drill } from "./drill.ts";
import type { AnsweredInput } from "./runDrill.ts";

export const SCHEDULE: LocalText = { en: "schedule", ja: "スケジュール" };
export const IMMEDIATE: LocalText = { en: "immediate instruction", ja: "即時指令" };

/** Product and power of an instruction, such as `FRR −900.0 kW`. */
export function requestText(sku: unknown, kw: number, language: Language): string {
  const product =
    typeof sku === "string" ? sku.toUpperCase() : textIn({ en: "without product", ja: "商品なし" }, language);
  return `${product} ${formatFixed(kw, 1)} kW`;
}

/** The text of an action, such as `weight of battery-large: 0`. */
export function actionText(
  { drill }: { readonly drill: Drill },
  { input }: AnsweredInput,
  language: Language = "en",
): string {
  const local = (en: string, ja: string): string => (language === "ja" ? ja : en);
  if (input.kind === "owner_call") return local(`call to the owner of ${input.site}`, `${input.site} の所有者に連絡`);
  if (input.kind !== "request") return input.kind;
  const { api, id, method, path, body } = input.request;
  const { sites, vpps } = drill.served.scenario.world;
  const nameOf = (emsId: string): string => sites.find((site) => site.emsId === emsId)?.name ?? emsId;
  const shownPath = path.replace(/[0-9a-f]{32}/g, nameOf);
  const owner = api === "vpp-v1" ? (vpps.find(({ vppId }) => vppId === id)?.name ?? id) : nameOf(id);
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const weight = fields.allocation_weight;
  const member = findRoute(api, method, path)?.variables.ems_id;
  if (weight !== undefined && member !== undefined)
    return local(`weight of ${nameOf(member)}: ${weight}`, `${nameOf(member)} の配分比：${weight}`);
  const { start_time: start, end_time: end, duration_minutes: minutes } = fields;
  // A schedule of frequency response alone has no delta.
  const request = requestText(fields.sku, Number(fields.delta_kw ?? fields.fcr_response_kw ?? 0), language);
  if (fields.type === "schedule")
    return `${textIn(SCHEDULE, language)} ${local(`${request}, ${start} to ${end}`, `${request}、${start}～${end}`)}`;
  if (fields.type === "immediate")
    return `${textIn(IMMEDIATE, language)} ${local(`${request} for ${minutes} min`, `${request}、${minutes}分`)}`;
  return local(`${method} ${shownPath} (${owner})`, `${method} ${shownPath}（${owner}）`);
}

/** Japanese reason of a refusal by `error_type`; the details of the APIs are in English. */
export const JAPANESE_REFUSALS: Readonly<Record<RefusalKind, string>> = {
  invalid_parameter: "リクエストの値が範囲外",
  member_limit_exceeded: "VPP のリソース数が上限",
  ems_not_found: "この ID の拠点がない",
  invalid_resource_type: "リソースの種別が不明",
  resource_type_mismatch: "拠点のリソース種別が異なる",
  ems_already_registered: "拠点は既に登録済み",
  ems_registered_to_other_vpp: "拠点は別の VPP に登録済み",
  member_not_found: "拠点は VPP に登録されていない",
  schedule_not_found: "このスケジュールがない",
  schedule_not_deletable: "スケジュールの開始まで1分未満、または開始済み",
  schedule_split_too_narrow: "他のスケジュールの残りが1分未満になる",
  fcr_response_kw_required: "この商品には FCR 容量（kW）が必要",
  delta_kw_not_allowed_for_fcr: "この商品は FCR 容量で指定し、変化量は指定できない",
  delta_kw_required: "変化量（kW）が必要",
  fcr_response_kw_not_allowed: "FCR 容量を指定できるのは周波数商品のみ",
  fcr_response_kw_must_be_positive: "FCR 容量が負",
  compound_breakdown_not_allowed: "内訳を指定できるのは複合商品のみ",
  compound_breakdown_max_mismatch: "内訳の最大値が合計と異なる",
  compound_breakdown_value_exceeds_total: "内訳の値が合計を超える",
  compound_breakdown_invalid_key: "内訳の商品が不明",
  compound_breakdown_sign_mismatch: "内訳の符号が合計と異なる",
  member_baselines_required: "リソースの基準値が必要",
  member_baselines_incomplete: "運転中のリソースの基準値が不足",
  member_baselines_unknown_ems: "VPP に登録されていない拠点の基準値がある",
  member_baselines_duplicate: "1つの拠点に基準値が2つある",
  no_dispatchable_members: "指令できるリソースが運転していない",
  sku_not_marketable: "拠点がこの商品の対象ではない",
  dr_reduction_below_minimum: "需要抑制量が拠点の最小値を下回る",
  dr_duration_below_minimum: "需要抑制が拠点の最短時間より短い",
  dr_duplicate_dispatch: "拠点は既に需要抑制中",
  dr_cooldown_active: "拠点は前回の需要抑制後の休止期間中",
  baseline_not_configured: "この期間の基準値が登録されていない",
  reverse_power_flow_forbidden: "拠点は逆潮流できない",
  vpp_not_found: "この ID の VPP がない",
  site_not_found: "この ID の拠点がない",
  system_out_of_service: "拠点が停止中",
  schedule_query_out_of_range: "照会期間が長すぎる",
  data_not_available: "この期間のデータは保存されていない",
  period_too_long: "期間が上限より長い",
  data_points_exceeded: "応答の件数が上限を超える",
  baseline_unaligned: "基準値のコマが UTC の30分単位ではない",
  baseline_locked_after_dr: "このコマの需要抑制が終わり、基準値は確定済み",
  baseline_bulk_too_large: "1回のリクエストの基準値コマが多すぎる",
  baseline_out_of_range: "基準値が拠点の範囲外",
  baseline_query_too_large: "基準値の照会期間が長すぎる",
};
