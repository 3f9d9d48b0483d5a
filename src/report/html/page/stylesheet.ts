import { PALETTE_CSS } from "./palette.ts";

/** The whole appearance of a page, without external fonts or images. */
export const STYLESHEET = `${PALETTE_CSS}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header.top,footer{max-width:1200px;margin:0 auto;padding:0 24px}
h1{font-size:clamp(1.6rem,4vw,2.3rem);line-height:1.15;letter-spacing:-.02em;margin:0;overflow-wrap:anywhere}
h2{font-size:1.3rem;letter-spacing:-.01em;margin:0 0 4px}
h3{font-size:1rem;margin:0 0 6px}
p{margin:0 0 12px;max-width:76ch}
a{color:var(--accent)}
small,.muted,figcaption,caption{color:var(--muted)}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
header.top{padding-top:34px}
.brand{font-weight:700;font-size:.78rem;letter-spacing:.12em;text-transform:uppercase;color:var(--accent);margin:0 0 8px}
.facts{display:flex;flex-wrap:wrap;gap:4px 22px;margin:12px 0 0;padding:0;list-style:none;font-size:.88rem;color:var(--muted)}
.facts b{font-weight:600;color:var(--ink)}
nav{position:sticky;top:0;z-index:2;background:var(--page);border-bottom:1px solid var(--line);margin:18px 0 26px}
nav ul{max-width:1200px;margin:0 auto;padding:10px 24px;display:flex;gap:20px;list-style:none;overflow-x:auto;white-space:nowrap;font-size:.88rem}
nav a{text-decoration:none;color:var(--muted)}
nav a:hover,nav a:focus-visible{color:var(--accent);text-decoration:underline}
section{scroll-margin-top:56px;margin:0 0 40px}
.card,figure{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:20px 22px;margin:14px 0 0}
p.card{max-width:none}
.lead p{font-size:1.12rem;line-height:1.6}
.lead p:last-child{margin-bottom:0}
.lead b{font-weight:650;font-variant-numeric:tabular-nums}
.share{margin:20px 0 2px}
.share .bar{display:flex;height:22px;border-radius:6px;overflow:hidden;background:var(--tint);gap:2px}
.share .bar i{display:block;background:var(--swatch);min-width:2px}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(228px,1fr));gap:14px;margin:14px 0 0;padding:0;list-style:none}
.tiles li{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:15px 18px}
.tiles .name{font-size:.86rem;font-weight:600;color:var(--muted)}
.tiles .value{font-size:1.75rem;font-weight:650;letter-spacing:-.02em;line-height:1.25;font-variant-numeric:tabular-nums;white-space:nowrap}
.tiles .value small{font-size:.95rem;font-weight:500;letter-spacing:0}
.tiles .why{font-size:.82rem;line-height:1.4;color:var(--muted)}
figure{margin-inline:0}
svg.chart{display:block;width:100%;height:auto}
svg.narrow{display:none}
figcaption{font-size:.85rem;margin-top:8px;max-width:90ch}
.legend{display:flex;flex-wrap:wrap;gap:2px 18px;margin:0 0 6px;padding:0;list-style:none;font-size:.85rem}
.legend li{display:flex;align-items:center;gap:7px}
.swatch{width:14px;height:10px;border-radius:2px;background:var(--swatch);flex:none}
.swatch.dashed{height:0;border-radius:0;background:none;border-top:3px dashed var(--swatch);width:20px}
.scroll{overflow-x:auto;margin:14px 0 0;background:var(--surface);border:1px solid var(--line);border-radius:12px}
table{border-collapse:collapse;width:100%;font-size:.84rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:12px 14px 8px;font-size:.85rem}
.scroll.wide::before{content:"More columns: scroll sideways →";position:sticky;left:0;display:block;width:max-content;padding:10px 16px 0;font-size:.82rem;font-weight:600;color:var(--accent)}
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
th button{all:unset;cursor:pointer;display:inline-block;color:inherit}
th button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
th[aria-sort=descending] button::after{content:" ↓"}
th[aria-sort=ascending] button::after{content:" ↑"}
tbody tr:hover{background:var(--tint)}
.na{color:var(--muted)}
.state{display:inline-block;padding:0 8px;border-radius:99px;background:var(--tint);font-size:.8rem;white-space:nowrap}
.state.refused{color:var(--bad)}
.state.completed{color:var(--good)}
.notes{margin:14px 0 0;padding:14px 18px 14px 38px;border:1px solid var(--line);border-left:4px solid var(--s5);border-radius:8px;background:var(--surface);overflow-wrap:anywhere}
.notes li+li{margin-top:6px}
details{margin:14px 0 0}
summary{cursor:pointer;color:var(--accent);font-size:.92rem}
dl.words{display:grid;grid-template-columns:minmax(130px,210px) 1fr;gap:10px 20px;margin:0;font-size:.92rem}
dl.words dt{font-weight:600}
dl.words dd{margin:0;max-width:76ch}
footer{padding-top:18px;padding-bottom:40px;border-top:1px solid var(--line);font-size:.84rem;color:var(--muted)}
@media (max-width:700px){
main,header.top,footer{padding-left:14px;padding-right:14px}nav ul{padding-left:14px;padding-right:14px}
svg.wide{display:none}svg.narrow{display:block}
.card,figure{padding:15px 14px}.tiles{grid-template-columns:repeat(auto-fill,minmax(155px,1fr));gap:10px}.tiles li{padding:12px 13px}.tiles .value{font-size:1.35rem}
dl.words{grid-template-columns:1fr;gap:2px}dl.words dd{margin-bottom:10px}
}
@media print{
:root{color-scheme:light}
body{background:#fff;font-size:10pt}nav,th button::after,.scroll.wide::before{display:none!important}
main,header.top,footer{max-width:none;padding:0}header.top{padding-top:0;margin-bottom:14pt}
svg.wide{display:block}svg.narrow{display:none}
.card,figure,.tiles li,.scroll,.notes{break-inside:avoid}.scroll{overflow:visible;break-inside:auto}
tr{break-inside:avoid}thead{display:table-header-group}h2,h3{break-after:avoid}table{font-size:7.5pt}th,td{padding:3pt 4pt}
td .sentence,td .meaning,td .cause{min-width:0}.tiles{grid-template-columns:repeat(4,1fr)}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}`;
