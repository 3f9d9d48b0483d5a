export const chart = {
  "chart.title": { en: "Requested and delivered", ja: "要求量と供出量" },
  "chart.note": {
    en: "{vpp}, change relative to the baselines in kW, import positive",
    ja: "{vpp}、基準値との差（kW、受電が正）",
  },
  "chart.label": {
    en: "Requested and delivered power of {vpp}. Arrow keys read values, plus and minus zoom, 0 shows the window.",
    ja: "{vpp} の要求量と供出量。矢印キーで値を読み、+ と − で拡大・縮小、0 で元に戻ります。",
  },
  "chart.hint": {
    en: "Point at the chart, or focus it and use the arrow keys, to read a moment. Drag to zoom.",
    ja: "グラフを指すか、選択して矢印キーで値を読めます。ドラッグで拡大します。",
  },
  "chart.no_value": { en: "no value", ja: "値なし" },
  "chart.table": { en: "Values of this period as a table", ja: "この期間の値を表で見る" },
  "chart.time": { en: "Time", ja: "時刻" },
  "chart.window": { en: "Period shown", ja: "表示期間" },
  "chart.window_15m": { en: "15 min", ja: "15分" },
  "chart.window_1h": { en: "1 h", ja: "1時間" },
  "chart.window_4h": { en: "4 h", ja: "4時間" },
  "chart.window_run": { en: "Whole run", ja: "全期間" },
  "chart.reset_zoom": { en: "Reset zoom", ja: "拡大を解除" },
  "chart.block": { en: "{award} · {sku} {kw} kW", ja: "{award} · {sku} {kw} kW" },
  "chart.block_plain": { en: "{award} · {kw} kW", ja: "{award} · {kw} kW" },
  "chart.missing_by_cause": { en: "Missing, by cause:", ja: "原因別の不足分：" },
} as const;
