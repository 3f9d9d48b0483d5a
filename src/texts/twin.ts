/** What `vppsim twin` prints. */
export const twin = {
  "twin.period": {
    en: "Read {from} to {to} in {requests} {requests|request|requests}.",
    ja: "{from} から {to} まで、{requests} 件の要求で読み取りました。",
  },
  "twin.found": {
    en: "{sites} {sites|site|sites}, {awards} {awards|award|awards} ({reconstructed} from the history alone), {outages} {outages|outage|outages}, {gaps} {gaps|gap|gaps}",
    ja: "拠点 {sites}、約定 {awards}（うち履歴のみから {reconstructed}）、停止 {outages}、欠測 {gaps}",
  },
  "twin.scenario": { en: "Scenario: {file}; not known: {unknowns}", ja: "シナリオ：{file}；不明：{unknowns}" },
  "twin.unknown": { en: "{about} ({count} {count|site|sites})", ja: "{about}（{count} 拠点）" },
  "twin.unknown_efficiency": { en: "efficiency", ja: "効率" },
  "twin.unknown_response": { en: "delay and ramp", ja: "遅れと変化速度" },
  "twin.unknown_self_discharge": { en: "self-discharge", ja: "自己放電" },
  "twin.unknown_orientation": { en: "orientation of the modules", ja: "モジュールの向き" },
  "twin.unknown_undisturbed_load": { en: "load during reductions", ja: "抑制中の本来の負荷" },
  "twin.unknown_outage_cause": { en: "cause of outages", ja: "停止の原因" },
  "twin.unknown_weights": { en: "earlier weights", ja: "過去の配分ウェイト" },
  "twin.unknown_specification": { en: "specification", ja: "仕様" },
  "twin.unknown_plan": { en: "plan during instructions", ja: "指令中の計画" },
  "twin.unknown_direct_control": { en: "origin of orders without a schedule", ja: "スケジュールのない指令の出所" },
  "twin.unknown_frequency": { en: "frequency between samples", ja: "サンプル間の周波数" },
  "twin.unknown_potential": { en: "possible output while it was cut", ja: "出力抑制中の発電可能量" },
  "twin.alarm_begins": { en: "{at} {site}: {alarm} begins", ja: "{at} {site}：{alarm}（開始）" },
  "twin.alarm_ends": { en: "{at} {site}: {alarm} ends", ja: "{at} {site}：{alarm}（終了）" },
  "twin.outage": { en: "outage", ja: "停止" },
  "twin.no_telemetry": { en: "no telemetry", ja: "計測値の途絶" },
  "twin.power_drift": {
    en: "power drift ({current} kW measured, {twin} kW in the twin)",
    ja: "電力のずれ（計測 {current} kW、ツイン {twin} kW）",
  },
  "twin.soc_drift": {
    en: "state-of-charge drift ({soc} % measured, {twinSoc} % in the twin)",
    ja: "充電率のずれ（計測 {soc} %、ツイン {twinSoc} %）",
  },
  "twin.wait": { en: "waiting {seconds} s: {why}", ja: "{seconds} 秒待機：{why}" },
  "twin.shadow": {
    en: "{reads} {reads|read|reads} of {sites} {sites|site|sites}, {alarms} {alarms|alarm|alarms}: {file}",
    ja: "読み取り {reads} 回、拠点 {sites}、警報 {alarms} 件：{file}",
  },
} as const;
