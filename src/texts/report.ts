/** The report of the session. */
export const report = {
  "report.title": { en: "Report", ja: "レポート" },
  "report.lead": {
    en: "The report is that of the session's scenario until now. Running the export gives the same report, byte for byte.",
    ja: "現在までのセッションを1つのシナリオとしたレポートです。エクスポートを実行すると、同一のレポートが得られます。",
  },
  "report.language": { en: "The report is written in English.", ja: "レポートの本文は英語です。" },
  "report.write": { en: "Write the report", ja: "レポートを作成" },
  "report.writing": { en: "Writing the report", ja: "作成中" },
  "report.write_again": { en: "Write it again", ja: "作成し直す" },
  "report.open": { en: "Open the report", ja: "レポートを開く" },
  "report.written": { en: "Written to {folder}", ja: "{folder} に作成しました" },
  "report.files": { en: "{count} files", ja: "{count} ファイル" },
  "report.no_folder": {
    en: "The server was started without a folder for reports.",
    ja: "サーバーはレポートの保存先なしで起動されています。",
  },
  "report.no_folder_why": {
    en: "Start it with --report DIR, such as: vppsim serve scenario.yaml --report reports/session",
    ja: "--report DIR を付けて起動してください。例：vppsim serve scenario.yaml --report reports/session",
  },
  "report.not_allowed": {
    en: "In this session the instructor writes the report.",
    ja: "このセッションでレポートを作成できるのは教官だけです。",
  },
  "report.export_not_allowed": {
    en: "In this session the instructor exports it.",
    ja: "このセッションを保存できるのは教官だけです。",
  },
  "report.export": { en: "Export the session as a scenario", ja: "セッションをシナリオとして保存" },
  "report.exporting": { en: "Exporting", ja: "保存中" },
  "report.export_lead": {
    en: "A YAML file that repeats every command and malfunction of this session at its instant.",
    ja: "このセッションのすべての操作と故障を、その時刻に再現する YAML ファイルです。",
  },
  "report.exported": { en: "Saved as {file}", ja: "{file} として保存しました" },
  "report.session": { en: "Shortfall before and in this session", ja: "セッション前と中の不足量" },
  "report.session_lead": {
    en: "The session opened at {at}. The time before that was simulated without you: it is counted apart.",
    ja: "セッションは {at} に始まりました。それ以前は訓練生なしでシミュレーションしたもので、別に集計します。",
  },
  "report.session_whole": {
    en: "The session opened at the scenario's start: everything belongs to it.",
    ja: "セッションはシナリオの開始時に始まりました。すべてがセッションに含まれます。",
  },
  "report.award": { en: "Award", ja: "約定" },
  "report.period": { en: "Period", ja: "期間" },
  "report.before": { en: "Before the session kWh", ja: "開始前 kWh" },
  "report.within": { en: "In the session kWh", ja: "セッション中 kWh" },
  "report.no_awards": {
    en: "No award has begun. Advance to the next one, or create a schedule.",
    ja: "まだ約定は始まっていません。次の約定まで進めるか、スケジュールを作成してください。",
  },
  "report.debriefing": { en: "Debriefing", ja: "振り返り" },
  "report.debriefing_open": { en: "Open the debriefing", ja: "振り返りを開く" },
  "report.debriefing_computing": { en: "Computing the debriefing", ja: "振り返りを計算中" },
  "report.debriefing_begins": { en: "The debriefing is about to be computed.", ja: "振り返りの計算を開始します。" },
  "report.debriefing_runs": {
    en: "The drill is run again to find the best that was possible: {done} of {expected} runs.",
    ja: "最善の結果を探すため、訓練を再計算しています：{done} / {expected} 回",
  },
  "report.debriefing_failed": {
    en: "The debriefing could not be computed: {details}. Try again; the server's log says more.",
    ja: "振り返りを計算できませんでした：{details}。もう一度お試しください。詳細はサーバーのログにあります。",
  },
  "report.debriefing_not_yet": {
    en: "The debriefing opens when the drill ends, at {at}.",
    ja: "振り返りは訓練の終了時（{at}）に開けます。",
  },
  "report.requested": { en: "Requested kW", ja: "要求量 kW" },
  "report.total": { en: "In all", ja: "合計" },
} as const;
