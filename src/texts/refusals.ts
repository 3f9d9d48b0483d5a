/** Reasons of refusals by `error_type`, as the end of a sentence. */
export const refusals = {
  "refusal.delivery_failed": { en: "the set-point could not be delivered", ja: "制御量を伝達できない" },
  "refusal.invalid_parameter": { en: "a value of the request is out of range", ja: "リクエストの値が範囲外" },
  "refusal.member_limit_exceeded": {
    en: "the VPP has reached its maximum number of members",
    ja: "VPP のリソース数が上限",
  },
  "refusal.ems_not_found": { en: "no site has this id", ja: "この ID の拠点がない" },
  "refusal.invalid_resource_type": { en: "the resource type is unknown", ja: "リソースの種別が不明" },
  "refusal.resource_type_mismatch": { en: "the site has another resource type", ja: "拠点のリソース種別が異なる" },
  "refusal.ems_already_registered": { en: "the site is already a member", ja: "拠点は既に登録済み" },
  "refusal.ems_registered_to_other_vpp": { en: "the site is a member of another VPP", ja: "拠点は別の VPP に登録済み" },
  "refusal.member_not_found": { en: "the site is not a member", ja: "拠点は VPP に登録されていない" },
  "refusal.schedule_not_found": { en: "there is no such schedule", ja: "このスケジュールがない" },
  "refusal.schedule_not_deletable": {
    en: "the schedule starts in less than a minute or has started",
    ja: "スケジュールの開始まで1分未満、または開始済み",
  },
  "refusal.schedule_split_too_narrow": {
    en: "it would leave part of another schedule shorter than a minute",
    ja: "他のスケジュールの残りが1分未満になる",
  },
  "refusal.fcr_response_kw_required": {
    en: "a frequency product requires an FCR capacity in kW",
    ja: "この商品には FCR 容量（kW）が必要",
  },
  "refusal.delta_kw_not_allowed_for_fcr": {
    en: "a frequency product takes an FCR capacity, not a change of power",
    ja: "この商品は FCR 容量で指定し、変化量は指定できない",
  },
  "refusal.delta_kw_required": { en: "the change of power in kW is missing", ja: "変化量（kW）が必要" },
  "refusal.fcr_response_kw_not_allowed": {
    en: "only frequency products take an FCR capacity",
    ja: "FCR 容量を指定できるのは周波数商品のみ",
  },
  "refusal.fcr_response_kw_must_be_positive": { en: "the FCR capacity is negative", ja: "FCR 容量が負" },
  "refusal.compound_breakdown_not_allowed": {
    en: "only the compound product takes a breakdown",
    ja: "内訳を指定できるのは複合商品のみ",
  },
  "refusal.compound_breakdown_max_mismatch": {
    en: "the largest part of the breakdown differs from the total",
    ja: "内訳の最大値が合計と異なる",
  },
  "refusal.compound_breakdown_value_exceeds_total": {
    en: "a part of the breakdown is larger than the total",
    ja: "内訳の値が合計を超える",
  },
  "refusal.compound_breakdown_invalid_key": { en: "the breakdown names an unknown product", ja: "内訳の商品が不明" },
  "refusal.compound_breakdown_sign_mismatch": {
    en: "a part of the breakdown has the opposite sign",
    ja: "内訳の符号が合計と異なる",
  },
  "refusal.member_baselines_required": { en: "the baselines of the members are missing", ja: "リソースの基準値が必要" },
  "refusal.member_baselines_incomplete": {
    en: "the baseline of a member in service is missing",
    ja: "運転中のリソースの基準値が不足",
  },
  "refusal.member_baselines_unknown_ems": {
    en: "a baseline names a site that is not a member",
    ja: "VPP に登録されていない拠点の基準値がある",
  },
  "refusal.member_baselines_duplicate": { en: "a site has two baselines", ja: "1つの拠点に基準値が2つある" },
  "refusal.no_dispatchable_members": {
    en: "no dispatchable member was in service",
    ja: "指令できるリソースが運転していない",
  },
  "refusal.sku_not_marketable": { en: "the site is not admitted to this product", ja: "拠点がこの商品の対象ではない" },
  "refusal.dr_reduction_below_minimum": {
    en: "the load reduction is below the site's minimum",
    ja: "需要抑制量が拠点の最小値を下回る",
  },
  "refusal.dr_duration_below_minimum": {
    en: "the load reduction is shorter than the site's minimum duration",
    ja: "需要抑制が拠点の最短時間より短い",
  },
  "refusal.dr_duplicate_dispatch": { en: "the site is already reducing its load", ja: "拠点は既に需要抑制中" },
  "refusal.dr_cooldown_active": {
    en: "the site is in its cooldown after the last load reduction",
    ja: "拠点は前回の需要抑制後の休止期間中",
  },
  "refusal.baseline_not_configured": {
    en: "the site has no registered baseline for the period",
    ja: "この期間の基準値が登録されていない",
  },
  "refusal.reverse_power_flow_forbidden": {
    en: "the site may not export power to the grid",
    ja: "拠点は逆潮流できない",
  },
  "refusal.vpp_not_found": { en: "no VPP has this id", ja: "この ID の VPP がない" },
  "refusal.site_not_found": { en: "no site has this id", ja: "この ID の拠点がない" },
  "refusal.system_out_of_service": { en: "the site is out of service", ja: "拠点が停止中" },
  "refusal.schedule_query_out_of_range": { en: "the query period is too long", ja: "照会期間が長すぎる" },
  "refusal.data_not_available": { en: "no data is retained for the period", ja: "この期間のデータは保存されていない" },
  "refusal.period_too_long": { en: "the period is longer than allowed", ja: "期間が上限より長い" },
  "refusal.data_points_exceeded": { en: "the response would have too many records", ja: "応答の件数が上限を超える" },
  "refusal.baseline_unaligned": {
    en: "a baseline slot is not a UTC half hour",
    ja: "基準値のコマが UTC の30分単位ではない",
  },
  "refusal.baseline_locked_after_dr": {
    en: "a load reduction in the slot is over, its baseline is final",
    ja: "このコマの需要抑制が終わり、基準値は確定済み",
  },
  "refusal.baseline_bulk_too_large": {
    en: "there are too many baseline slots in one request",
    ja: "1回のリクエストの基準値コマが多すぎる",
  },
  "refusal.baseline_out_of_range": { en: "a baseline exceeds the site's limits", ja: "基準値が拠点の範囲外" },
  "refusal.baseline_query_too_large": {
    en: "the query period for baselines is too long",
    ja: "基準値の照会期間が長すぎる",
  },
} as const;
