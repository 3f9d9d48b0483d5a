/** What commands print. */
export const printed = {
  "print.run": {
    en: "{scenario}: {period} {zone}, {count} {count|site|sites}, seed {seed}",
    ja: "{scenario}：{period} {zone}、{count} 拠点、シード {seed}",
  },
  "print.before_session": { en: "before the session", ja: "セッション開始前" },
  "print.in_session": { en: "in the session    ", ja: "セッション中　　" },
  "print.session": {
    en: "  {label}  shortfall {shortfall} of {requested} kWh ({period})",
    ja: "  {label}  要求 {requested} kWh のうち不足 {shortfall} kWh（{period}）",
  },
  "print.session_penalty": {
    en: "  {label}  shortfall {shortfall} of {requested} kWh, penalty {penalty} {currency} ({period})",
    ja: "  {label}  要求 {requested} kWh のうち不足 {shortfall} kWh、ペナルティ {penalty} {currency}（{period}）",
  },
  "print.warning": { en: "  warning: {warning}", ja: "  警告：{warning}" },
  "print.warnings_on_input": {
    en: "  {count} {count|warning|warnings} on the input: listed above the figures, in run.json and in the report",
    ja: "  入力の警告 {count} 件：上の表示、run.json、レポートに記載",
  },
  "print.running_time": { en: "  running time: {duration}", ja: "  実行時間：{duration}" },
  "print.report": { en: "  report: {place}", ja: "  レポート：{place}" },
  "print.peak": { en: " ({at}, award {award})", ja: "（{at}、約定 {award}）" },
  "print.count": { en: "{count} {what}", ja: "{what} {count}" },
  "print.settled": { en: "{report}: {set}, area {area}", ja: "{report}：{set}、エリア {area}" },
  "print.memo": { en: "  (memo)", ja: "  （参考）" },
  "print.assumptions": {
    en: "  note: {count} values are assumptions: {names}",
    ja: "  注記：想定の値 {count} 件：{names}",
  },
  "print.input": { en: "  input: {file} {digest}", ja: "  入力：{file} {digest}" },
} as const;
