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
  "twin.scenario": {
    en: "Scenario: {file}; not known: {unknowns}",
    ja: "シナリオ：{file}；不明：{unknowns}",
  },
  "twin.unknown_efficiency": { en: "efficiency of {count} {count|site|sites}", ja: "{count} 拠点の効率" },
  "twin.unknown_response": { en: "delay and ramp of {count} {count|site|sites}", ja: "{count} 拠点の遅れと変化速度" },
  "twin.unknown_self_discharge": { en: "self-discharge of {count} {count|site|sites}", ja: "{count} 拠点の自己放電" },
  "twin.unknown_orientation": {
    en: "orientation of the modules of {count} {count|site|sites}",
    ja: "{count} 拠点のモジュールの向き",
  },
  "twin.unknown_undisturbed_load": {
    en: "load of {count} {count|site|sites} during reductions",
    ja: "{count} 拠点の抑制中の本来の負荷",
  },
  "twin.unknown_outage_cause": { en: "cause of outages at {count} {count|site|sites}", ja: "{count} 拠点の停止の原因" },
  "twin.unknown_weights": {
    en: "earlier weights of {count} {count|site|sites}",
    ja: "{count} 拠点の過去の配分ウェイト",
  },
  "twin.unknown_specification": {
    en: "specification of {count} {count|site|sites}",
    ja: "{count} 拠点の仕様",
  },
  "twin.unknown_plan": {
    en: "plan of {count} {count|site|sites} during instructions",
    ja: "{count} 拠点の指令中の計画",
  },
  "twin.unknown_direct_control": {
    en: "who ordered {count} {count|site|sites} without a schedule",
    ja: "スケジュールなしの {count} 拠点への指令の出所",
  },
  "twin.unknown_frequency": {
    en: "frequency between the samples at {count} {count|site|sites}",
    ja: "{count} 拠点のサンプル間の周波数",
  },
  "twin.unknown_potential": {
    en: "possible output of {count} {count|site|sites} while it was cut",
    ja: "{count} 拠点の出力抑制中の発電可能量",
  },
} as const;
