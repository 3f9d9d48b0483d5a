// A comparison as one HTML file, with the look of a report: what moved, who gained and lost, where the runs part.
import { type KpiName, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import { VERSION } from "../../version.ts";
import { dataTable, type TableColumn } from "../html/page/dataTable.ts";
import { renderDocument, type Section } from "../html/page/document.ts";
import { formatCount, formatFixed, formatList, numberCell } from "../html/page/format.ts";
import { html, type Markup } from "../html/page/markup.ts";
import { CAUSE_TEXT } from "../html/sections/causeText.ts";
import type { AwardChange, AwardComparison, CauseChange, Difference } from "./compareAwards.ts";
import type { ComparisonJson, KpiChange, ReportLabel, SiteComparison } from "./comparisonJson.ts";
import type { FirstDifference } from "./firstDifference.ts";

/** Rows of a table; comparison.json has all of them. */
const ROWS_MAX = 200;

/** A self-contained page: equal comparisons give equal bytes, nothing is loaded from elsewhere. */
export function renderComparisonHtml(comparison: ComparisonJson): string {
  const { a, b, awards, sites, notes } = comparison;
  return renderDocument({
    title: `${a.scenario} against ${b.scenario} – vppsim comparison`,
    header: html`<p class="brand">vppsim comparison</p>
<h1>B against A</h1>
<ul class="facts">${labelOf("A", a)}${labelOf("B", b)}</ul>`,
    sections: [
      {
        id: "summary",
        contentsTitle: "Summary",
        title: "What differs",
        intro: "Differences are B less A.",
        body: html`<div class="card lead">${verdict(comparison).map((sentence) => html`<p>${sentence}</p>`)}</div>${kpiTable(comparison.kpis)}`,
      },
      firstDifferences(comparison),
      ...(awards === null ? [] : [awardSection(awards)]),
      ...(sites === null ? [] : [siteSection(sites)]),
      ...(notes.length === 0
        ? []
        : [
            {
              id: "notes",
              contentsTitle: "Notes",
              title: "What could not be compared",
              intro: "",
              body: html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`,
            },
          ]),
    ],
    footer: html`<p>Made by vppsim ${VERSION}. Everything stands in full in comparison.json.</p>`,
  });
}

const labelOf = (letter: string, { dir, scenario, seed, start, end, hash }: ReportLabel): Markup =>
  html`<li>${letter} <b>${scenario}</b> in <code>${dir}</code>, seed <b>${seed}</b>, ${start} to ${end}, hash <code>${hash.slice(0, 12)}</code></li>`;

function verdict({ a, b, same_scenario, same_results, awards, kpis, parted }: ComparisonJson): string[] {
  const scenarios = same_scenario
    ? "Both ran the same scenario."
    : `The scenarios differ${a.seed === b.seed ? "" : ", and so do the seeds"}.`;
  if (same_results) return [scenarios, "The results are the same in everything that was compared."];
  const changed = kpis.filter(hasDifference).length;
  const sentences = [
    scenarios,
    `${formatCount(changed, "key figure")} of ${kpis.length} ${changed === 1 ? "differs" : "differ"}.`,
  ];
  if (parted !== null) sentences.push(`They part at ${parted.at}, in ${parted.file}.`);
  if (awards !== null) {
    sentences.push(
      `Of ${formatCount(awards.compared, "award")} in both, ${awards.gained.length} gained, ${awards.lost.length} lost, ${awards.otherwise_changed.length} changed otherwise and ${awards.unchanged} stayed as they were.`,
    );
    sentences.push(...causeSentence(awards.causes));
  }
  return sentences;
}

/** The causes of shortfall that moved most. */
function causeSentence(causes: readonly CauseChange[]): string[] {
  const moved = causes
    .map((change, k) => ({ change, k }))
    .filter(({ change }) => change.difference !== 0)
    .sort((x, y) => Math.abs(y.change.difference) - Math.abs(x.change.difference) || x.k - y.k)
    .slice(0, 3)
    .map(
      ({ change: { cause, difference } }) =>
        `${CAUSE_TEXT[cause].label.toLowerCase()} ${difference > 0 ? "+" : ""}${formatFixed(difference, 1)} kWh`,
    );
  return moved.length === 0 ? [] : [`What moved the shortfall most: ${formatList(moved)}.`];
}

const hasDifference = ({ a, b }: Difference): boolean => a !== b;

function kpiTable(kpis: readonly KpiChange[]): Markup {
  const decimals = (name: KpiName) => Math.max(3, kpiOf(name).decimals);
  return dataTable<KpiChange>("Key figures that differ", kpis.filter(hasDifference), [
    { title: "Figure", cell: ({ name }) => html`<span title="${kpiOf(name).meaning}">${kpiOf(name).label}</span>` },
    { title: "Unit", cell: ({ name }) => kpiOf(name).unit },
    { title: "A", align: "right", cell: ({ name, a }) => numberCell(a, decimals(name)) },
    { title: "B", align: "right", cell: ({ name, b }) => numberCell(b, decimals(name)) },
    { title: "B less A", align: "right", cell: ({ name, difference }) => signedCell(difference, decimals(name)) },
  ]);
}

const signedCell = (value: number | null, decimals: number): Markup =>
  value === null || value <= 0
    ? numberCell(value, decimals)
    : html`<data value="${value}">+${formatFixed(value, decimals)}</data>`;

function firstDifferences(comparison: ComparisonJson): Section {
  const { first_differing_event, first_differing_dispatch, first_differing_energy } = comparison;
  const found = [first_differing_event, first_differing_dispatch, first_differing_energy];
  const parts = found.filter((difference) => difference !== null).map(rowTable);
  return {
    id: "parting",
    contentsTitle: "Parting",
    title: "Where the runs part",
    intro: "The first row of each table in which they differ: what comes after may follow from it.",
    body:
      parts.length === 0
        ? html`<p class="card">No row of events, of dispatches or of energy differs.</p>`
        : html`${parts}`,
  };
}

function rowTable({ file, row, a, b, columns }: FirstDifference): Markup {
  if (row === 0) return html`<p class="card">The columns of ${file} differ: ${columns.join(", ")}.</p>`;
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  const cell = (side: FirstDifference["a"], name: string) => (side === null ? "(no more rows)" : (side[name] ?? ""));
  const differs = new Set(columns);
  return dataTable<string>(`${file}, row ${row}`, names, [
    { title: "Column", cell: (name) => (differs.has(name) ? html`<b>${name}</b>` : name) },
    { title: "A", cell: (name) => cell(a, name) },
    { title: "B", cell: (name) => cell(b, name) },
  ]);
}

function awardSection({ gained, lost, otherwise_changed, only_in_a, only_in_b, causes }: AwardComparison): Section {
  const rows = [
    ...lost.map((change) => ({ verdict: "lost", change })),
    ...gained.map((change) => ({ verdict: "gained", change })),
    ...otherwise_changed.map((change) => ({ verdict: "changed", change })),
  ];
  const columns: TableColumn<(typeof rows)[number]>[] = [
    { title: "Award", cell: ({ change }) => html`<span class="id">${change.award_id}</span>` },
    { title: "In B", cell: ({ verdict: word }) => word },
    ...pairOf("Short", "kWh", (change) => change.shortfall_kwh),
    ...pairOf("Uncovered", "kW", (change) => change.uncovered_kw),
    { title: "State", cell: ({ change: { state } }) => (state.a === state.b ? state.b : `${state.a} → ${state.b}`) },
    { title: "By cause", cell: ({ change }) => causesText(change) },
  ];
  const only = (letter: string, ids: readonly string[]) =>
    ids.length > 0 &&
    html`<p class="card">Only in ${letter}: ${ids.slice(0, ROWS_MAX).join(", ")}${ids.length > ROWS_MAX ? ` and ${ids.length - ROWS_MAX} more` : ""}</p>`;
  return {
    id: "awards",
    contentsTitle: "Awards",
    title: "Awards that changed",
    intro: `${rows.length > ROWS_MAX ? `The ${ROWS_MAX} with the largest changes. ` : ""}Gained: less is lacking in B.`,
    body:
      rows.length + only_in_a.length + only_in_b.length === 0
        ? html`<p class="card">No award changed.</p>`
        : html`${rows.length > 0 && dataTable("Awards", rows.slice(0, ROWS_MAX), columns)}${only("A", only_in_a)}${only("B", only_in_b)}${causes.length > 0 && causeTable(causes)}`,
  };
}

const pairOf = (
  title: string,
  unit: string,
  of: (change: AwardChange) => Difference,
): TableColumn<{ readonly change: AwardChange }>[] => [
  { title: `${title} A`, unit, align: "right", cell: ({ change }) => numberCell(of(change).a, 3) },
  { title: `${title} B`, unit, align: "right", cell: ({ change }) => numberCell(of(change).b, 3) },
];

const causesText = ({ causes, cause_unit }: AwardChange): string =>
  causes
    .map(
      ({ cause, difference }) =>
        `${CAUSE_TEXT[cause].label} ${difference > 0 ? "+" : ""}${formatFixed(difference, 3)} ${cause_unit}`,
    )
    .join(", ");

const causeTable = (causes: readonly CauseChange[]): Markup =>
  dataTable<CauseChange>("Shortfall by cause, all awards", causes, [
    { title: "Cause", cell: ({ cause }) => CAUSE_TEXT[cause].label },
    { title: "A", unit: "kWh", align: "right", cell: ({ a }) => numberCell(a, 3) },
    { title: "B", unit: "kWh", align: "right", cell: ({ b }) => numberCell(b, 3) },
    { title: "B less A", unit: "kWh", align: "right", cell: ({ difference }) => signedCell(difference, 3) },
  ]);

function siteSection({ changed, compared, only_in_a, only_in_b }: SiteComparison): Section {
  const rows = changed.flatMap(({ site, fields }) => fields.map((field) => ({ site, field })));
  const others = [
    ...(only_in_a.length > 0 ? [`Only in A: ${only_in_a.join(", ")}`] : []),
    ...(only_in_b.length > 0 ? [`Only in B: ${only_in_b.join(", ")}`] : []),
  ];
  return {
    id: "sites",
    contentsTitle: "Sites",
    title: "Sites that changed",
    intro: `${changed.length} of ${compared}.${rows.length > ROWS_MAX ? ` The first ${ROWS_MAX} fields are shown.` : ""}`,
    body: html`${
      rows.length === 0
        ? html`<p class="card">No site changed.</p>`
        : dataTable("Fields of sites.csv", rows.slice(0, ROWS_MAX), [
            { title: "Site", cell: ({ site }) => html`<span class="id">${site}</span>` },
            { title: "Field", cell: ({ field }) => field.name },
            { title: "A", align: "right", cell: ({ field }) => numberCell(field.a, 3) },
            { title: "B", align: "right", cell: ({ field }) => numberCell(field.b, 3) },
            { title: "B less A", align: "right", cell: ({ field }) => signedCell(field.difference, 3) },
          ])
    }${others.map((line) => html`<p class="card">${line}</p>`)}`,
  };
}
