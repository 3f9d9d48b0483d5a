import { PALETTE_CSS } from "./palette.ts";

/** The whole appearance of a page, without external fonts or images. */
/** Colours of cells, as classes: a map of a year has thousands. */
const HEAT_RULES = ["h0", "h1", "h2", "h3", "h4", "h5", "b1", "b2", "b3"]
  .map((colour) => `.heat .${colour}{fill:var(--${colour})}.squares .${colour}{background:var(--${colour})}`)
  .join("");

export const STYLESHEET = `${PALETTE_CSS}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.page{max-width:2000px;padding:0 28px}
.skip{position:absolute;left:-999em}
.skip:focus{left:8px;top:8px;z-index:3;padding:8px 14px;background:var(--surface)}
h1{font-size:clamp(1.5rem,3vw,2rem);line-height:1.15;letter-spacing:-.02em;margin:0;overflow-wrap:anywhere}
h2{font-size:1.3rem;letter-spacing:-.01em;margin:0 0 4px}
h3{font-size:1rem;margin:0 0 6px}
p{margin:0 0 12px;max-width:76ch}
:lang(ja){word-break:auto-phrase}
a{color:var(--accent)}
small,.muted,figcaption,caption{color:var(--muted)}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
header.top{padding-top:16px}
.brand{font-weight:700;font-size:.78rem;letter-spacing:.12em;text-transform:uppercase;color:var(--accent);margin:0 0 4px}
.facts{display:flex;flex-wrap:wrap;gap:4px 22px;margin:12px 0 0;padding:0;list-style:none;font-size:.88rem;color:var(--muted)}
.facts b{font-weight:600;color:var(--ink)}
nav summary{font-weight:600}
nav ul{margin:0;padding:0;list-style:none;font-size:.88rem}
nav a{display:block;padding:5px 12px;border-left:3px solid transparent;text-decoration:none;color:var(--muted);overflow-wrap:anywhere}
nav a:hover,nav a:focus-visible{color:var(--accent);text-decoration:underline}
nav a[aria-current]{border-color:var(--accent);color:var(--ink);font-weight:600}
main{margin-top:14px}
section{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,700px),1fr));gap:0 16px;align-items:start;margin:0 0 40px}
section>*{grid-column:1/-1;min-width:0}
section>figure{grid-column:auto}
section>figure:only-of-type,section>figure:last-of-type:nth-of-type(odd){grid-column:1/-1}
.figures{columns:2 560px;column-gap:16px;margin:14px 0 0}.figures>*{break-inside:avoid;margin:0 0 14px}.figures>*:only-child{column-span:all}
@media (min-width:1101px){
body{display:grid;grid-template-columns:200px minmax(0,1fr)}
nav{position:sticky;top:0;align-self:start;height:100vh;overflow-y:auto;border-right:1px solid var(--line);background:var(--surface);padding:18px 0}
nav summary{list-style:none;pointer-events:none;padding:0 15px 8px;color:var(--muted)}
nav summary::-webkit-details-marker{display:none}
nav details{margin:0}
section{scroll-margin-top:16px}
}
@media (max-width:1100px){
nav{background:var(--page);border-bottom:1px solid var(--line);padding:8px 28px}
.js nav{position:sticky;top:0;z-index:2}
nav details{margin:0}
nav ul{margin-top:6px;columns:170px;column-gap:14px}
.js nav ul{max-height:calc(100vh - 60px);overflow-y:auto}
section{scroll-margin-top:56px}
}
.card,figure{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:20px 22px;margin:14px 0 0}
p.card{max-width:none}
.lead p{font-size:1.12rem;line-height:1.6}
.lead p:last-child{margin-bottom:0}
.lead p{max-width:100ch}.lead p.muted{font-size:.85rem;line-height:1.4;max-width:none;margin:8px 0 0}
.lead{border-left:5px solid var(--neutral)}.lead.in-band{border-left-color:var(--good)}.lead.partly-in-band{border-left-color:var(--s5)}.lead.out-of-band{border-left-color:var(--bad)}
.lead .equation{display:flex;flex-wrap:wrap;align-items:flex-end;gap:2px 14px;max-width:none;margin:0 0 14px;font-size:.84rem;line-height:1.35;color:var(--muted)}
.equation b{display:block;font-size:1.6rem;font-weight:650;line-height:1.15;letter-spacing:-.02em;color:var(--ink)}
.equation .sign{font-size:1.4rem;line-height:1.9}
.lead b{font-weight:650;font-variant-numeric:tabular-nums}
.share{margin:8px 0 4px}
.share .bar{display:flex;height:22px;border-radius:6px;overflow:hidden;background:var(--tint);gap:2px}
.share .bar i{display:block;background:var(--swatch);min-width:2px}
.tiles{display:flex;flex-wrap:wrap;gap:14px;margin:14px 0 0;padding:0;list-style:none}
.tiles>li,.tiles .tile{flex:1 1 190px;background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:15px 18px}
.tiles>li.stack{display:flex;flex-direction:column;gap:14px;padding:0;border:0;background:none}.tiles .stack .tile{flex:1 0 auto;min-width:0}
.tiles .name{font-size:.86rem;font-weight:600;color:var(--muted)}
.tiles .value{font-size:1.75rem;font-weight:650;letter-spacing:-.02em;line-height:1.25;font-variant-numeric:tabular-nums;white-space:nowrap}
.tiles .value small{white-space:normal;font-size:.95rem;font-weight:500;letter-spacing:0}
.tiles .where{font-size:.88rem;line-height:1.5;overflow-wrap:anywhere}.tiles .id{font-weight:600;display:inline-block;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom}
.tiles.kpis{display:grid;grid-template-columns:repeat(var(--count),minmax(0,1fr))}.kpis .value{font-size:1.6rem;white-space:normal}
@media (max-width:1500px){.tiles.kpis{grid-template-columns:repeat(var(--half),minmax(0,1fr))}}
.findings .value{white-space:normal}.tiles.findings{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,290px),1fr))}
.ranking{margin:4px 0 0;padding:0;list-style:none;font-size:.88rem}.ranking li{border:0;border-radius:0;padding:3px 0;background:none}
.tiles .why{font-size:.82rem;line-height:1.4;color:var(--muted)}
figure{margin-inline:0}
svg.chart{display:block;width:100%;height:auto}figure>svg.chart{max-width:1200px}
svg.drawn{font-size:12px;fill:none}svg.drawn text{fill:var(--muted)}svg.drawn .ink text{fill:var(--ink)}svg.drawn .small{font-size:10.5px}
svg.narrow,svg.broad{display:none}
.sizes{container-type:inline-size}@container (min-width:1230px){.sizes svg.wide{display:none}.sizes svg.broad{display:block}}
.chart-live{display:none}figure.live .chart-live{display:block}
.chosen,ul.legend.chosen{display:none}@media screen{figure.live svg.chart,figure.live .drawn-only{display:none!important}figure.live span.chosen{display:inline}figure.live ul.legend.chosen{display:flex}}
.chart-bar{display:flex;flex-wrap:wrap;align-items:center;gap:6px 14px;font-size:.82rem;color:var(--muted);min-height:30px}
.chart-select{font-weight:600;color:var(--ink)}.chart-bar select,.chart-reset{font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--line);border-radius:6px;padding:3px 8px}
.chart-reset{cursor:pointer}.chart-reset:hover{border-color:var(--accent)}
.chart-plot{position:relative;outline-offset:2px}.chart-plot:focus-visible{outline:2px solid var(--accent)}
.chart-plot .u-select{background:color-mix(in srgb,var(--accent) 18%,transparent)}
.chart-plot .u-vt .u-cursor-x,.chart-plot .u-hz .u-cursor-x{border-right:1px solid var(--muted)}.chart-plot .u-cursor-y{display:none}
.chart-tip{position:absolute;top:6px;z-index:3;pointer-events:none;background:var(--surface);border:1px solid var(--line);border-radius:8px;box-shadow:0 2px 10px #0003;padding:7px 10px;font-size:.8rem;line-height:1.5;max-width:min(340px,70%);font-variant-numeric:tabular-nums}
.chart-tip div{display:grid;grid-template-columns:14px auto 1fr;gap:8px;align-items:baseline}.chart-tip .value{text-align:right;font-weight:600;overflow-wrap:anywhere}
.chart-tip.floating{position:fixed;top:0;z-index:5;max-width:min(420px,90vw)}.chart-tip b{overflow-wrap:anywhere}
.bars{display:grid;grid-template-columns:fit-content(34%) 1fr;gap:0 12px;font-size:.82rem;line-height:1.3;font-variant-numeric:tabular-nums}
.bars .row,.bars .axis{display:grid;grid-template-columns:subgrid;grid-column:1/-1;align-items:center}
.bars .row:hover{background:var(--tint)}
.bars .name{text-align:right;color:var(--muted);overflow-wrap:anywhere;padding:3px 0}.bars .name small{display:block;font-size:.92em}
.bars .tracks,.bars .axis span{display:block;position:relative;margin:0 var(--right) 0 var(--left)}
.bars .tracks{align-self:stretch;display:grid;align-content:center;gap:2px;padding:3px 0;background:linear-gradient(to right,var(--line) 1px,transparent 1px) var(--offset) 0/var(--step) 100%}
.bars .track{display:block;position:relative;height:16px}
.bars .track i{position:absolute;top:0;bottom:0;background:var(--swatch);min-width:1px}.bars .track i:last-of-type{border-radius:0 3px 3px 0}
.bars .track i.pale{opacity:.45}.bars .track i.line{top:7px;bottom:7px}.bars .track i.dot{width:10px!important;top:3px;bottom:3px;border-radius:50%;transform:translateX(-5px)}
.bars .track b{position:absolute;top:0;line-height:16px;padding:0 5px;font-weight:400;white-space:nowrap}
.bars .axis span{grid-column:2;height:1.5em;border-top:1px solid var(--neutral);color:var(--muted)}.bars .axis i{position:absolute;top:3px;transform:translateX(-50%);font-style:normal;white-space:nowrap}
.bars .axis b{grid-column:2;text-align:center;font-weight:400;color:var(--muted);padding-top:3px}
.calendar{overflow-x:auto}.calendar table{width:auto;border-collapse:separate;border-spacing:2px}.calendar :is(th,td){padding:0;border:0;text-align:center;font-weight:400;color:var(--muted);background:none}.calendar tbody th{padding-right:8px;white-space:nowrap}.calendar i{display:block;width:20px;height:20px;border-radius:2px;background:color-mix(in srgb,var(--swatch) var(--shade),var(--surface))}
.calendar .scale{display:flex;flex-wrap:wrap;gap:4px 14px;margin:8px 0 0;font-size:.85rem}.calendar .scale span{display:flex;align-items:center;gap:6px}
.plot{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:0 8px;font-size:.78rem;color:var(--muted);line-height:1.2;font-variant-numeric:tabular-nums;padding-right:14px}
.plot .unit{grid-column:2;padding:0 0 4px}.plot .unit:empty{padding:5px 0 0}
.plot .rows,.plot .area{position:relative;height:var(--height)}.plot .rows{min-width:max(5ch,var(--row-letters))}.plot .rows span{position:absolute;right:0;transform:translateY(-50%);white-space:nowrap}
.plot .columns{grid-column:2;position:relative;height:2.4em;border-top:1px solid transparent}.plot .columns span{position:absolute;top:5px;transform:translateX(-50%);white-space:nowrap}.plot .columns.starts span{transform:none;padding-left:3px;border-left:1px solid var(--line)}
.plot .area>svg{position:absolute;inset:0;width:100%;height:100%}.plot hr{position:absolute;left:0;right:0;margin:0;border:0;border-top:1px solid var(--line)}.plot hr.zero{border-color:var(--neutral)}
.heat .area{background:var(--h0)}.heat rect{width:1.03px;height:1px}${HEAT_RULES}.heat path{fill:none;vector-effect:non-scaling-stroke;stroke:var(--surface)}.heat path.week{stroke:var(--muted)}
.bars-up{position:absolute;inset:0}.bars-up .column{position:absolute;top:0;bottom:0}.bars-up .column:hover{background:color-mix(in srgb,var(--tint) 60%,transparent)}.bars-up i{position:absolute;left:14%;right:14%;background:var(--swatch);min-height:1px}.bars-up i.line{left:4%;right:4%;min-height:3px;margin-top:-1px;box-shadow:0 0 0 1.5px var(--surface)}
.bars-up i.hatch,.swatch.hatch{background:repeating-linear-gradient(45deg,var(--swatch) 0 2px,color-mix(in srgb,var(--swatch) 30%,var(--surface)) 2px 5px)}
.plot .fill{fill:var(--h1);stroke:none}.plot .line{fill:none;stroke:var(--ink);stroke-width:2;vector-effect:non-scaling-stroke}
.plot .mark{position:absolute;width:7px;height:7px;border-radius:50%;background:var(--ink);transform:translate(-50%,-50%)}.plot .mark-texts{position:absolute;top:6px;right:8px;margin:0;text-align:right;color:var(--ink)}.mark-texts span{display:block}
.outage-days{display:flex;flex-wrap:wrap;gap:10px 14px;font-size:.78rem;color:var(--muted)}.outage-days b{font-weight:400}.squares{display:grid;grid-template-rows:repeat(7,12px);grid-auto-columns:12px;gap:2px}.squares i{border-radius:2px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr));gap:0 16px;align-items:start}.pair>*{min-width:0}.pair>figure:last-child:nth-child(odd){grid-column:1/-1}.pair table{font-size:.76rem}.pair :is(th,td){padding:6px 3px}.pair :is(th,td):first-child{padding-left:10px}.pair :is(th,td):last-child{padding-right:10px}.pair td .cause{min-width:0}.pair td time{white-space:nowrap}@media (min-width:1101px){.pair.uneven{grid-template-columns:2fr 1fr}}
details.folded>summary{padding:4px 0}section:has(>details.folded){margin-bottom:12px}section:has(>details.folded)>h2{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.chart-status{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);margin:0}
.chart-table{margin:4px 0 0}.chart-table .scroll{max-height:340px;overflow:auto}
.scroll+p{margin-top:12px}
figcaption{font-size:.85rem;margin-top:8px;max-width:90ch}
.legend{display:flex;flex-wrap:wrap;gap:2px 18px;margin:0 0 6px;padding:0;list-style:none;font-size:.85rem}
.legend li{display:flex;align-items:center;gap:7px}
.swatch{width:14px;height:10px;border-radius:2px;background:var(--swatch);flex:none}
.cause{display:inline-flex;align-items:baseline;gap:7px;font-weight:600}td .cause{font-weight:inherit}td .cause .swatch{width:10px;align-self:center}
.swatch.line{height:0;border-radius:0;background:none;border-top:2px solid var(--swatch);width:20px}
.swatch.dashed{height:0;border-radius:0;background:none;border-top:3px dashed var(--swatch);width:20px}
.scroll{overflow-x:auto;margin:14px 0 0;background:var(--surface);border:1px solid var(--line);border-radius:12px}
table{border-collapse:collapse;width:100%;font-size:.84rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:12px 14px 8px;font-size:.85rem}
.scroll.wide::before{content:"More columns: scroll sideways →";position:sticky;left:0;display:block;width:max-content;padding:10px 16px 0;font-size:.82rem;font-weight:600;color:var(--accent)}
.scroll.wide:lang(ja)::before{content:"右に続く列：横にスクロール →"}
th,td{padding:7px 8px;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
th:first-child,td:first-child{padding-left:14px}
th:last-child,td:last-child{padding-right:14px}
thead th{border-top:0;vertical-align:bottom;font-weight:600;white-space:nowrap}
th small{display:block;font-weight:400}
td{overflow-wrap:break-word}
@media screen and (min-width:701px){th:first-child,tbody td:first-child{position:sticky;left:0;background:inherit}}tbody tr{background:var(--surface)}thead tr{background:var(--tint)}
td time,td .id,.nb{white-space:nowrap}
td .id{font-weight:600}
td .sentence{min-width:min(320px,62vw)}td .meaning{min-width:240px}td .cause{min-width:6.5em}
.n{text-align:right;white-space:nowrap}
thead th{position:relative}
th button{all:unset;cursor:pointer;position:absolute;inset:0}
th button:focus-visible{outline:2px solid var(--accent);outline-offset:-3px}
th[aria-sort=descending]::after{content:"↓"}
th[aria-sort=ascending]::after{content:"↑"}
tbody tr:hover{background:var(--tint)}
.filter{display:flex;flex-wrap:wrap;gap:8px;margin:14px 0 0}
.filter button{font:inherit;font-size:.84rem;padding:4px 12px;border:1px solid var(--line);border-radius:99px;background:var(--surface);color:var(--muted);cursor:pointer}
.filter button[aria-pressed=true]{background:var(--tint);border-color:var(--accent);color:var(--ink)}
.filter input{font:inherit;font-size:.84rem;padding:4px 12px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:var(--ink);min-width:180px}
.kind{white-space:nowrap;padding-left:9px;border-left:4px solid var(--neutral)}
.kind.fault{border-color:var(--bad)}.kind.recovery{border-color:var(--good)}.kind.notice{border-color:var(--s5)}.kind.command{border-color:var(--accent)}
.na{color:var(--muted)}
.state{display:inline-block;padding:0 8px;border-radius:99px;background:var(--tint);font-size:.8rem;white-space:nowrap}
.state.refused{color:var(--bad)}
.band{white-space:nowrap}.band::before{content:"";display:inline-block;width:8px;height:8px;border-radius:50%;margin-right:6px;background:var(--neutral)}
.band.in-band::before{background:var(--good)}.band.partly-in-band::before{background:var(--s5)}.band.out-of-band::before{background:var(--bad)}.band.not-assessed::before{display:none}
.notes{margin:14px 0 0;padding:14px 18px 14px 38px;border:1px solid var(--line);border-left:4px solid var(--s5);border-radius:8px;background:var(--surface);overflow-wrap:anywhere}
.notes li+li{margin-top:6px}
details{margin:14px 0 0}
summary{cursor:pointer;color:var(--accent);font-size:.92rem}
dl.words{display:grid;grid-template-columns:minmax(130px,210px) 1fr;gap:10px 20px;margin:0;font-size:.92rem}
dl.words dt{font-weight:600}
dl.words dd{margin:0;max-width:76ch}
footer{margin-top:40px;padding-top:18px;padding-bottom:40px;border-top:1px solid var(--line);font-size:.84rem;color:var(--muted)}
@media (max-width:700px){
.page,nav{padding-left:14px;padding-right:14px}
svg.wide{display:none}svg.narrow{display:block}
.card,figure{padding:15px 14px}.tiles{gap:10px}.tiles.kpis{grid-template-columns:1fr 1fr}.tiles>li,.tiles .tile{flex-basis:150px;padding:12px 13px}.bars .axis i:nth-child(even){display:none}.tiles .value{font-size:1.35rem}
dl.words{grid-template-columns:1fr;gap:2px}dl.words dd{margin-bottom:10px}
}
@media print{
:root{color-scheme:light}
body{display:block;background:#fff;font-size:9.5pt}.plot,.outage-days,figcaption,.legend{font-size:9pt}.pair{display:block}nav,.skip,.filter,th button,th::after,.scroll.wide::before{display:none!important}
.page{max-width:none;padding:0}header.top{padding-top:0;margin-bottom:14pt}section{display:block;margin-bottom:20pt}.figures{columns:auto}
svg.wide{display:block!important}svg.narrow,svg.broad{display:none!important}figure.live .chart-live,.chart-tip{display:none!important}
.card,figure,.tiles>li,.scroll,.notes,.plot,.squares{break-inside:avoid}.scroll{overflow:visible;break-inside:auto}
tr{break-inside:avoid}tr[hidden]{display:table-row}thead{display:table-header-group}h2,h3,h2+p,caption{break-after:avoid}table,.pair table{font-size:8.5pt}table:has(th:nth-child(8)){font-size:7.5pt}table:has(th:nth-child(11)){font-size:5.8pt}table:has(th:nth-child(11)) :is(th,td){padding:2pt}th,td{padding:3pt 3pt}th:first-child,td:first-child{padding-left:6pt}
thead th,td time,td .id,td code,.nb,.state{white-space:normal}td .id,td code,.nb{overflow-wrap:anywhere}
td .id,td code,td .nb,td time{display:inline-block;width:max-content;max-width:7em}td .nb{max-width:5em}td time{max-width:6.2em}td .state{font-size:inherit;padding:0;background:none}
h2+p{break-inside:avoid}
td .sentence,td .meaning,td .cause{min-width:0}td .cause .swatch{width:6pt;height:6pt}.tiles.kpis{grid-template-columns:repeat(4,minmax(0,1fr))}.tiles.findings{grid-template-columns:repeat(3,minmax(0,1fr))}.tiles .id{white-space:normal;overflow-wrap:anywhere}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}`;
