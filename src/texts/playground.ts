/** The page of `vppsim playground`. */
export const playground = {
  "playground.title": { en: "Playground", ja: "プレイグラウンド" },
  "playground.document": { en: "vppsim playground", ja: "vppsim プレイグラウンド" },
  "playground.unsupported": {
    en: "This browser does not have what a run needs: workers that are modules, and time zones. A current Chromium, Firefox or Safari has both.",
    ja: "このブラウザーには実行に必要なモジュールワーカーまたはタイムゾーンがありません。現行の Chromium、Firefox、Safari をお使いください。",
  },
  "playground.start_failed": {
    en: "The page cannot start: {details}. Load it again.",
    ja: "ページを開始できません：{details}。再読み込みしてください。",
  },
  "playground.run": { en: "Run", ja: "実行" },
  "playground.cancel": { en: "Cancel", ja: "中止" },
  "playground.progress": { en: "Progress of the run", ja: "実行の進み" },
  "playground.share": { en: "Share and settings", ja: "共有と設定" },
  "playground.theme": { en: "Light or dark", ja: "明るい表示・暗い表示" },
  "playground.examples": { en: "Examples", ja: "例題" },
  "playground.find": { en: "Find an example", ja: "例題を検索" },
  "playground.scenario": { en: "Scenario", ja: "シナリオ" },
  "playground.files": { en: "Files", ja: "ファイル" },
  "playground.problems": { en: "Problems", ja: "問題" },
  "playground.no_problems": { en: "none: the scenario is complete", ja: "なし：シナリオは完全です" },
  "playground.run_waits": {
    en: "{count} · Run waits until they are mended",
    ja: "{count} 件・直すまで実行できません",
  },
  "playground.result": { en: "Result", ja: "結果" },
  "playground.what_if": { en: "What if", ja: "もしも" },
  "playground.report": { en: "Report", ja: "レポート" },
  "playground.no_report": {
    en: "Run the scenario to see its report here.",
    ja: "シナリオを実行すると、ここにレポートが出ます。",
  },
  "playground.state.ready": { en: "Ready", ja: "準備完了" },
  "playground.state.loading": { en: "Loading…", ja: "読み込み中…" },
  "playground.state.running": { en: "Running · {percent} %", ja: "実行中・{percent} %" },
  "playground.state.running_left": {
    en: "Running · {percent} %, about {seconds} s left",
    ja: "実行中・{percent} %、残り約 {seconds} 秒",
  },
  "playground.state.done": {
    en: "Done in {seconds} s · {count} {count|file|files}",
    ja: "完了 {seconds} 秒・{count} ファイル",
  },
  "playground.state.failed": { en: "Failed", ja: "失敗" },
  "playground.state.stopped": { en: "Stopped; nothing was written", ja: "中止しました。結果はありません" },
  "playground.memory": {
    en: "This run needs more memory than the tab has: run it with the command",
    ja: "この実行にはタブのメモリーが足りません。コマンドで実行してください",
  },
  "playground.same_bytes": {
    en: "vppsim {version} · same bytes as the command",
    ja: "vppsim {version}・コマンドと同じバイト列",
  },
  "playground.local": {
    en: "Runs in this tab; the scenario is in no request.",
    ja: "このタブの中で動きます。シナリオは送信されません。",
  },
  "playground.stays": { en: "Nothing leaves this machine.", ja: "データはこの端末から出ません。" },
  "playground.unknown_example": {
    en: "There is no example {name}: choose one of the list",
    ja: "例題 {name} はありません。一覧から選んでください",
  },
} as const;
