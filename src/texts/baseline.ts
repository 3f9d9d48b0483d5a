/** What `vppsim baseline` prints. */
export const baseline = {
  "baseline.head": { en: "{scenario}, {site}: baseline {method}", ja: "{scenario}、{site}：基準値 {method}" },
  "baseline.head_rule": {
    en: "{scenario}, {site}: baseline {method} ({rule}), times in {zone}",
    ja: "{scenario}、{site}：基準値 {method}（{rule}）、時刻は {zone}",
  },
  "baseline.other_days": {
    en: "{count} {count|day|days} without demand response: see audit.csv",
    ja: "需要応答のないほかの {count} 日：audit.csv に記載",
  },
  "baseline.zero": {
    en: "  A consumer registers no slots; other sites have a baseline of 0 kW.",
    ja: "  需要家はコマを登録しない。ほかの拠点の基準値は 0 kW。",
  },
  "baseline.constant": { en: "  The same value in every slot.", ja: "  すべてのコマで同じ値。" },
  "baseline.series": { en: "  The mean of the series over each half hour.", ja: "  系列の 30 分ごとの平均。" },
  "baseline.perfect": {
    en: "  The power of the site without any instruction, as the mean over each half hour.",
    ja: "  指令がない場合の拠点の電力の、30 分ごとの平均。",
  },
  "baseline.capacity_factor": {
    en: "  The day's energy from the capacity factor, distributed by clear-sky irradiance.",
    ja: "  設備利用率による 1 日の電力量を、快晴時の日射で配分。",
  },
  "baseline.error": {
    en: "  Each slot has an error: mean {bias} kW, standard deviation {spread} kW, correlation time {minutes} min, seed {seed}.",
    ja: "  各コマに誤差あり：平均 {bias} kW、標準偏差 {spread} kW、相関時間 {minutes} 分、シード {seed}。",
  },
  "baseline.rule_mean": { en: "the mean of {days} days", ja: "{days} 日の平均" },
  "baseline.rule_adjusted": {
    en: "{workdays} of {workday_size} workdays, {holidays} of {holiday_size} holidays within {days} days, with same-day adjustment",
    ja: "{days} 日以内の平日 {workday_size} 日中 {workdays} 日、休日 {holiday_size} 日中 {holidays} 日、当日調整あり",
  },
  "baseline.rule_plain": {
    en: "{workdays} of {workday_size} workdays, {holidays} of {holiday_size} holidays within {days} days, without same-day adjustment",
    ja: "{days} 日以内の平日 {workday_size} 日中 {workdays} 日、休日 {holiday_size} 日中 {holidays} 日、当日調整なし",
  },
  "baseline.day": { en: "{date}, {type}, {events}", ja: "{date}、{type}、{events}" },
  "baseline.workday": { en: "workday", ja: "平日" },
  "baseline.holiday": { en: "holiday ({name})", ja: "休日（{name}）" },
  "baseline.no_events": { en: "no demand response", ja: "需要応答なし" },
  "baseline.events": { en: "demand response {periods}", ja: "需要応答 {periods}" },
  "baseline.low_load": { en: "  low load: below {pct} % of {kw} kW", ja: "  低負荷：{kw} kW の {pct} % 未満" },
  "baseline.mean_of": {
    en: "  baseline: mean of {count} {count|day|days}, slot by slot",
    ja: "  基準値：{count} 日のコマごとの平均",
  },
  "baseline.adjustment": {
    en: "  adjustment from {window}: load {load} kW - baseline {baseline} kW = {kw} kW in the slots of the demand response",
    ja: "  {window} による当日調整：負荷 {load} kW - 基準値 {baseline} kW = {kw} kW（需要応答のコマ）",
  },
  "baseline.used": { en: "used", ja: "使用" },
  "baseline.lowest": {
    en: "left out: the lowest mean, of equal ones the farthest day",
    ja: "除外：平均が最小（同じ場合は最も離れた日）",
  },
  "baseline.is_workday": { en: "left out: a workday", ja: "除外：平日" },
  "baseline.is_holiday": { en: "left out: a holiday ({name})", ja: "除外：休日（{name}）" },
  "baseline.dr_day": { en: "left out: a day with demand response", ja: "除外：需要応答のある日" },
  "baseline.dr_day_used": {
    en: "used although a day with demand response: fewer than {days} others",
    ja: "使用：需要応答のある日だが、ほかが {days} 日に満たない",
  },
  "baseline.below": {
    en: "left out: below {pct} % of the mean of its sample",
    ja: "除外：標本の平均の {pct} % 未満",
  },
  "baseline.no_data": { en: "left out: no load data", ja: "除外：負荷データなし" },
  "baseline.written": { en: "written: {place}", ja: "出力：{place}" },
} as const;
