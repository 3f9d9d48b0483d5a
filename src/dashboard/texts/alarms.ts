/** Alarms, and the title of the story of an award. */
export const alarms = {
  "alarms.title": { en: "Alarms", ja: "警報" },
  "alarms.line": { en: "Most urgent alarm", ja: "最優先の警報" },
  "alarms.none": { en: "No alarm.", ja: "警報はありません。" },
  "alarms.none_why": {
    en: "An alarm appears here when a site fails, power stays uncovered, or a battery runs empty too early.",
    ja: "拠点の停止、未割当量の発生、蓄電池の早期枯渇があると、ここに警報が表示されます。",
  },
  "alarms.none_new": { en: "No new alarm", ja: "新規の警報なし" },
  "alarms.counts": {
    en: "{new} new, {acknowledged} acknowledged, {cleared} cleared",
    ja: "新規 {new}、確認済 {acknowledged}、復帰 {cleared}",
  },
  "alarms.load": { en: "{count} raised in the last 10 min", ja: "直近10分に {count} 件発生" },
  "alarms.load_high": {
    en: "More than 10 alarms in 10 min. Work by priority.",
    ja: "10分間に10件を超えました。優先度順に対応してください。",
  },
  "alarms.acknowledge": { en: "Acknowledge", ja: "確認" },
  "alarms.acknowledge_of": { en: "Acknowledge: {text}", ja: "確認：{text}" },
  "alarms.more_on_page": { en: "{count} more on the page Alarms", ja: "ほか {count} 件は「警報」に表示" },
  "alarms.show_more": { en: "Show {count} more", ja: "さらに {count} 件を表示" },
  "alarms.read": { en: "Read", ja: "既読" },
  "alarms.read_of": { en: "Read: {text}", ja: "既読：{text}" },
  "alarms.state.new": { en: "New", ja: "新規" },
  "alarms.state.acknowledged": { en: "Acknowledged", ja: "確認済" },
  "alarms.state.cleared": { en: "Cleared", ja: "復帰" },
  "alarms.cleared_at": { en: "cleared {at}", ja: "{at} 復帰" },
  "alarms.returned": { en: "returns: {count}", ja: "再発 {count} 回" },
  "alarms.signs": { en: "Signs of this cause: {count}", ja: "この原因による事象 {count} 件" },
  "alarms.on_chart": { en: "On the chart", ja: "グラフで見る" },
  "alarms.on_chart_of": { en: "Show {at} on the chart", ja: "{at} をグラフで表示" },
  "alarms.why": { en: "Why?", ja: "理由" },
  "alarms.why_of": { en: "Why? The story of {award}", ja: "理由：{award} の経過" },
  "alarms.call_owner": { en: "Call the owner", ja: "所有者に連絡" },
  "alarms.call_owner_of": { en: "Call the owner of {site}", ja: "{site} の所有者に連絡" },
  "alarms.owner_answered": { en: "{site}: {answer}", ja: "{site}：{answer}" },
  "alarms.out": { en: "{site} is out of service", ja: "{site} が停止中" },
  "alarms.link": { en: "{site} does not answer: link lost", ja: "{site} が応答しない（通信断）" },
  "alarms.connection": {
    en: "No connection to the server: all figures are held",
    ja: "サーバーとの接続が切れています。値はすべて保持値です",
  },
  "alarms.lagging": {
    en: "The simulation is {seconds} s behind its clock",
    ja: "シミュレーションが時計より {seconds} 秒遅れています",
  },
  "alarms.uncovered": { en: "{kw} kW of {award} are uncovered", ja: "{award} の {kw} kW が未割当" },
  "alarms.outside_band": {
    en: "{award}: delivered {kw} kW is outside {low} to {high} kW",
    ja: "{award}：供出量 {kw} kW が {low}～{high} kW の範囲外",
  },
  "alarms.empty_soon": {
    en: "{site} is empty in {minutes}; {award} lasts {left} more",
    ja: "{site} はあと {minutes}で枯渇。{award} の残りは {left}",
  },
  "alarms.full_soon": {
    en: "{site} is full in {minutes}; {award} lasts {left} more",
    ja: "{site} はあと {minutes}で満充電。{award} の残りは {left}",
  },
  "alarms.empty_soon_in_common": {
    en: "{count} sites are empty before {award} ends in {left}: {site} first, in {minutes}",
    ja: "{award} の残り {left}が終わる前に {count} 拠点が枯渇：最初は {site}、{minutes}後",
  },
  "alarms.full_soon_in_common": {
    en: "{count} sites are full before {award} ends in {left}: {site} first, in {minutes}",
    ja: "{award} の残り {left}が終わる前に {count} 拠点が満充電：最初は {site}、{minutes}後",
  },
  "signs.empty_soon": { en: "{site} is empty in {minutes}", ja: "{site} はあと {minutes}で枯渇" },
  "signs.full_soon": { en: "{site} is full in {minutes}", ja: "{site} はあと {minutes}で満充電" },
  "signs.held": { en: "no value since {at}", ja: "{at} 以降、値を受信していません" },
  "signs.uncovered": { en: "{kw} kW of {award} are uncovered", ja: "{award} の {kw} kW が未割当" },
  "signs.not_delivered": {
    en: "{kw} kW dispatched for {award} are not delivered",
    ja: "{award} への指令のうち {kw} kW が未達",
  },
  "signs.outside_band": {
    en: "{award}: delivered {kw} kW is outside {low} to {high} kW",
    ja: "{award}：供出量 {kw} kW が {low}～{high} kW の範囲外",
  },
  "signs.site_kw": { en: "{site}: {kw} kW", ja: "{site}：{kw} kW" },
  "causes_at_site.out_of_service": { en: "{site} is out of service", ja: "{site} が停止中" },
  "causes_at_site.incompatible": {
    en: "{site} cannot serve this product: {kw} kW missing",
    ja: "{site} はこの商品の対象外：{kw} kW 不足",
  },
  "causes_at_site.refused": {
    en: "{site} refused its share: {kw} kW missing",
    ja: "{site} が配分を拒否：{kw} kW 不足",
  },
  "causes_at_site.delivery_failed": {
    en: "{site} was not reached: {kw} kW missing",
    ja: "{site} に指令が届かない：{kw} kW 不足",
  },
  "causes_at_site.baseline_missing": {
    en: "{site} has no baseline: {kw} kW missing",
    ja: "{site} に基準値がない：{kw} kW 不足",
  },
  "causes_at_site.direct_control": {
    en: "{site} is under direct control: {kw} kW missing",
    ja: "{site} は直接制御中：{kw} kW 不足",
  },
  "causes_at_site.power_limit": {
    en: "{site} is at its power limit: {kw} kW missing",
    ja: "{site} が出力上限：{kw} kW 不足",
  },
  "causes_at_site.energy_limit": {
    en: "{site} is at a limit of its state of charge: {kw} kW missing",
    ja: "{site} の充電率が限界：{kw} kW 不足",
  },
  "causes_at_site.output_control": {
    en: "Output control at {site}: {kw} kW missing",
    ja: "{site} が出力制御中：{kw} kW 不足",
  },
  "causes_at_site.other_award": {
    en: "{site} serves another award: {kw} kW missing",
    ja: "{site} は他の約定に対応中：{kw} kW 不足",
  },
  "causes_at_site.ramp": {
    en: "{site} is late: {kw} kW missing (delay and ramp)",
    ja: "{site} の応動が遅れている：{kw} kW 不足",
  },
  "causes_at_site.weather": {
    en: "{site} is {kw} kW below its set-point (weather)",
    ja: "{site} が制御量を {kw} kW 下回る（天候）",
  },
  "causes_at_site.load_deviation": {
    en: "{site} is {kw} kW below its set-point (load deviation)",
    ja: "{site} が制御量を {kw} kW 下回る（負荷変動）",
  },
  "causes_at_site.no_member": {
    en: "No member at {site}: {kw} kW missing",
    ja: "{site} にリソースがない：{kw} kW 不足",
  },
  "causes_at_site.other": { en: "{site}: {kw} kW missing", ja: "{site}：{kw} kW 不足" },
  "causes_in_common.other": {
    en: "{count} sites: {kw} kW of {award} missing",
    ja: "{count} 拠点：{award} の {kw} kW 不足",
  },
  "causes_at_site.not_yet_known": {
    en: "{site}: {kw} kW missing, reason not yet known",
    ja: "{site}：{kw} kW 不足（原因確認中）",
  },
  "causes_in_common.out_of_service": {
    en: "{count} sites are out of service: {kw} kW of {award} missing",
    ja: "{count} 拠点が停止中：{award} の {kw} kW 不足",
  },
  "causes_in_common.incompatible": {
    en: "{count} sites cannot serve {award}: {kw} kW missing",
    ja: "{count} 拠点が {award} の対象外：{kw} kW 不足",
  },
  "causes_in_common.refused": {
    en: "{count} sites refused: {kw} kW of {award} missing",
    ja: "{count} 拠点が拒否：{award} の {kw} kW 不足",
  },
  "causes_in_common.delivery_failed": {
    en: "{count} sites were not reached: {kw} kW of {award} missing",
    ja: "{count} 拠点に指令が届かない：{award} の {kw} kW 不足",
  },
  "causes_in_common.baseline_missing": {
    en: "{count} sites have no baseline: {kw} kW of {award} missing",
    ja: "{count} 拠点に基準値がない：{award} の {kw} kW 不足",
  },
  "causes_in_common.direct_control": {
    en: "{count} sites are under direct control: {kw} kW of {award} missing",
    ja: "{count} 拠点が直接制御中：{award} の {kw} kW 不足",
  },
  "causes_in_common.power_limit": {
    en: "{count} sites are at their power limit: {kw} kW of {award} missing",
    ja: "{count} 拠点が出力上限：{award} の {kw} kW 不足",
  },
  "causes_in_common.energy_limit": {
    en: "{count} sites are at a limit of their state of charge: {kw} kW of {award} missing",
    ja: "{count} 拠点の充電率が限界：{award} の {kw} kW 不足",
  },
  "causes_in_common.output_control": {
    en: "Output control at {count} sites: {kw} kW of {award} missing",
    ja: "{count} 拠点が出力制御中：{award} の {kw} kW 不足",
  },
  "causes_in_common.other_award": {
    en: "{count} sites serve another award: {kw} kW of {award} missing",
    ja: "{count} 拠点が他の約定に対応中：{award} の {kw} kW 不足",
  },
  "causes_in_common.ramp": {
    en: "{count} sites are late: {kw} kW of {award} missing (delay and ramp)",
    ja: "{count} 拠点の応動が遅れている：{award} の {kw} kW 不足",
  },
  "causes_in_common.weather": {
    en: "{count} sites are below their set-point: {kw} kW of {award} missing (weather)",
    ja: "{count} 拠点が制御量を下回る：{award} の {kw} kW 不足（天候）",
  },
  "causes_in_common.load_deviation": {
    en: "{count} sites are below their set-point: {kw} kW of {award} missing (load deviation)",
    ja: "{count} 拠点が制御量を下回る：{award} の {kw} kW 不足（負荷変動）",
  },
  "causes_in_common.no_member": {
    en: "{kw} kW of {award} missing: no member with a weight",
    ja: "{award} の {kw} kW 不足：配分比のあるリソースがない",
  },
  "causes_in_common.not_yet_known": {
    en: "{kw} kW of {award} missing, reason not yet known",
    ja: "{award} の {kw} kW 不足（原因確認中）",
  },
  "story.title": { en: "{award}: the story so far", ja: "{award}：これまでの経過" },
  "story.none": {
    en: "No award to explain. The story of an award begins with its registration.",
    ja: "説明できる約定がありません。約定の経過は登録から始まります。",
  },
} as const;
