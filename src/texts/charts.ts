/** Charts of a run. */
export const charts = {
  "chart.shortfall_by_award": { en: "Shortfall by award", ja: "約定別の不足量" },
  "chart.shortfall_over_time": { en: "Shortfall over time", ja: "時期別の不足量" },
  "chart.shortfall_by_award_caption": {
    en: "Shortfall in kWh by cause, one bar per award with a shortfall, in order of start.",
    ja: "原因別の不足量（kWh）。不足のある約定ごとに 1 本、開始順。",
  },
  "chart.shortfall_over_time_caption": {
    en: "Shortfall in kWh by cause of the awards that start in each period, by its begin ({zone}).",
    ja: "各期間に始まる約定の原因別の不足量（kWh）。期間の開始時刻で表示（{zone}）。",
  },
  "chart.shortfall_by_award_alt": {
    en: "Shortfall in kWh of each award, split into {causes}. The largest bar is {kwh} kWh.",
    ja: "約定別の不足量（kWh）。内訳：{causes}。最大は {kwh} kWh。",
  },
  "chart.shortfall_over_time_alt": {
    en: "Shortfall in kWh over time, split into {causes}. The largest bar is {kwh} kWh.",
    ja: "時期別の不足量（kWh）。内訳：{causes}。最大は {kwh} kWh。",
  },
  "chart.shortfall_axis": { en: "Shortfall (kWh)", ja: "不足量（kWh）" },
  "chart.shortfall_by_cause": { en: "Shortfall by cause", ja: "原因別の不足量" },
  "chart.shortfall_by_cause_caption": {
    en: "Requested energy in kWh that was not delivered, by cause. The causes add up to the shortfall.",
    ja: "供出されなかった要求電力量（kWh）、原因別。原因の合計が不足量。",
  },
  "chart.uncovered_by_award": { en: "Largest uncovered power by award", ja: "約定別の最大未割当量" },
  "chart.uncovered_axis": { en: "Largest uncovered power (kW)", ja: "最大未割当量（kW）" },
  "chart.uncovered_from": { en: "from {at}", ja: "{at} から" },
  "chart.uncovered_caption": {
    en: "Largest part of each request in kW that was allocated to no site at an instant, re-dispatches included, and when it first was. FCR capacity is apart.",
    ja: "各要求のうち、ある時点でどの拠点にも割り当てられなかった最大の部分（kW、再指令を含む）と、最初にそうなった時刻。FCR 容量は別に扱う。",
  },
  "chart.uncovered_caption_excerpt": {
    en: "Largest part of each request in kW that was allocated to no site at an instant, re-dispatches included, and when it first was. The {shown} largest of {count} awards. FCR capacity is apart.",
    ja: "各要求のうち、ある時点でどの拠点にも割り当てられなかった最大の部分（kW、再指令を含む）と、最初にそうなった時刻。約定 {count} 件のうち大きい {shown} 件。FCR 容量は別に扱う。",
  },
  "chart.bars_alt": { en: "{title}: {bars}.", ja: "{title}：{bars}。" },
  "block.shortfall": { en: "shortfall {kwh}", ja: "不足量 {kwh}" },
  "block.mainly": { en: "mainly {cause}", ja: "主に{cause}" },
  "block.awards": { en: "Awards", ja: "約定" },
  "block.outages": { en: "Outage", ja: "停止" },
  "block.maintenance": { en: "Maintenance", ja: "作業停止" },
  "block.output_control": { en: "Output control", ja: "出力制御" },
  "block.count.awards": { en: "{count}\u00a0{count|award|awards}", ja: "約定 {count} 件" },
  "block.count.outages": { en: "{count}\u00a0{count|outage|outages}", ja: "停止 {count} 件" },
  "block.count.maintenance": {
    en: "{count}\u00a0{count|maintenance period|maintenance periods}",
    ja: "作業停止 {count} 件",
  },
  "block.count.output_control": {
    en: "{count}\u00a0{count|output control|output controls}",
    ja: "出力制御 {count} 件",
  },
  "block.session": { en: "Session", ja: "セッション" },
  "block.in_session": { en: "session", ja: "セッション" },
  "chart.outages": { en: "Time out of service", ja: "停止時間" },
  "chart.outages_caption": {
    en: "Each bar is a period of time out of service, {zone}; sites with the longest total first.",
    ja: "棒は停止していた期間（{zone}）。停止時間の合計が長い拠点から。",
  },
  "chart.outages_caption_excerpt": {
    en: "Each bar is a period of time out of service, {zone}; sites with the longest total first. {count}\u00a0{count|site|sites} with less time out of service {count|is|are} omitted.",
    ja: "棒は停止していた期間（{zone}）。停止時間の合計が長い拠点から。それより短い {count} 拠点は省略。",
  },
  "chart.outages_alt": {
    en: "Times out of service of {count}\u00a0{count|site|sites}. Longest: {site}, {duration}.",
    ja: "{count} 拠点の停止時間。最長：{site}、{duration}。",
  },
  "chart.outage": { en: "Outage", ja: "停止" },
  "chart.maintenance": { en: "Planned maintenance", ja: "作業停止" },
  "chart.time_axis": { en: "Time ({zone})", ja: "時刻（{zone}）" },
} as const;
