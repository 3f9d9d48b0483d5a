export const now = {
  "award.in_force": { en: "Award in force: {award}", ja: "実行中の約定: {award}" },
  "award.instruction": { en: "Instruction in force: {award}", ja: "実行中の指令: {award}" },
  "award.period": { en: "{start} to {end} {zone}, {left} left", ja: "{start}〜{end} {zone}、残り {left}" },
  "award.none_title": { en: "No award in force", ja: "実行中の約定なし" },
  "award.none_next": {
    en: "Nothing is promised now. Next: {award}, {kw} kW from {time}. Advance to it with the key “.”.",
    ja: "現在の約定はありません。次: {award} {kw} kW、{time} から。「.」キーで進めます。",
  },
  "award.none_more": {
    en: "Nothing is promised now, and no award follows until {time}. Create one on the page Schedules, or send an instruction.",
    ja: "現在の約定はなく、{time} まで予定もありません。「スケジュール」で作成するか、指令を送信してください。",
  },
  "award.capacity": { en: "FCR capacity", ja: "一次調整力" },
  "award.bar": {
    en: "{pct} % of {kw} kW delivered; limit of the product {limit} %",
    ja: "{kw} kW の {pct} % を供出。商品の下限 {limit} %",
  },
  "award.bar_no_limit": { en: "{pct} % of {kw} kW delivered", ja: "{kw} kW の {pct} % を供出" },
  "award.of": { en: "of {kw} kW", ja: "/ {kw} kW" },
  "award.why": { en: "Why?", ja: "理由" },
  "award.why_intro": { en: "Why:", ja: "理由:" },
  "award.all_well": {
    en: "All of the requested power is dispatched and delivered.",
    ja: "要求量はすべて指令・供出されています。",
  },
  "award.over": { en: "{kw} kW more than requested are delivered.", ja: "要求量より {kw} kW 多く供出されています。" },
  "award.uncovered_since": {
    en: "{kw} kW are uncovered since {time}:",
    ja: "{time} から {kw} kW が未割当です:",
  },
  "award.uncovered": { en: "{kw} kW are uncovered:", ja: "{kw} kW が未割当です:" },
  "award.not_delivered": {
    en: "Of the dispatched power {kw} kW are not delivered:",
    ja: "指令量のうち {kw} kW が未達です:",
  },
  "award.cause_at": { en: "{site} {kw} ({cause})", ja: "{site} {kw} ({cause})" },
  "award.cause_since": { en: "{site} {kw} ({cause} since {time})", ja: "{site} {kw} ({cause}、{time} から)" },
  "award.cause_alone": { en: "{kw} ({cause})", ja: "{kw} ({cause})" },
  "story.title": { en: "The story of {award}", ja: "{award} の経緯" },
  "story.by_cause": { en: "Shortfall by cause, kWh", ja: "原因別の不足量 (kWh)" },
  "story.no_shortfall": { en: "No shortfall so far.", ja: "これまで不足はありません。" },
} as const;
