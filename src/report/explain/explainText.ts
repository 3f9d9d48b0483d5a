// The explanation of one award for the terminal.
import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import { awardSentence } from "../awardSentence.ts";
import { formatFixed, formatKw } from "../html/page/format.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import { CAUSE_TEXT } from "../html/sections/causeText.ts";
import type { ChainEntry } from "./buildChain.ts";
import type { AwardShares, CauseShare } from "./causeShares.ts";
import { dispatchLines } from "./dispatchText.ts";
import type { AwardFacts } from "./readAwardFacts.ts";
import type { SessionParts } from "./sessionParts.ts";

/** Maximum length of a line; only a longer single word exceeds it. */
const LINE_WIDTH = 100;

/** Lines of at most LINE_WIDTH characters: the first begins with `head`, the others are indented by its length. */
export function wrapText(head: string, text: string): readonly string[] {
  const indent = " ".repeat(head.length);
  const lines: string[] = [];
  let line = head;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    const next = isEmpty ? `${line}${word}` : `${line} ${word}`;
    if (isEmpty || next.length <= LINE_WIDTH) line = next;
    else {
      lines.push(toAscii(line));
      line = `${indent}${word}`;
    }
    isEmpty = false;
  }
  lines.push(toAscii(line).trimEnd());
  return lines;
}

/** Replaces the minus sign U+2212 and the no-break space, as in the CSV files and for searching in a terminal. */
export const toAscii = (text: string): string => text.replaceAll("\u2212", "-").replaceAll("\u00a0", " ");

/** Lines of a table for the terminal: the first column is left-aligned, the others are right-aligned. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  return rows.map((row) =>
    `  ${row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join("  ")}`.trimEnd(),
  );
}

/** Maximum number of listed names; the JSON has all of them. */
const NAMES_MAX = 8;

export function explainText(
  facts: AwardFacts,
  chain: readonly ChainEntry[],
  { shortfall, uncovered, fcrUncovered, session }: AwardShares & { readonly session: SessionParts | null },
  locale: PageLocale,
): string {
  const { award, notes } = facts;
  const blocks = [
    headBlock(award, locale),
    chainBlock(chain, locale),
    shareBlock(uncoveredTitle(award), uncovered, award.uncoveredKw, "kW"),
    shareBlock(fcrCapacityTitle(award), fcrUncovered, award.fcr?.uncoveredKw ?? null, "kW"),
    shareBlock(shortfallTitle(award), shortfall, award.shortfallKwh, "kWh"),
    session === null ? [] : sessionBlock(session, locale),
    responseBlock(award),
    notes.flatMap((note) => wrapText("Note: ", note)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headBlock(award: AwardRow, locale: PageLocale): readonly string[] {
  const { awardId, kind, vpp, sku, startMs, endMs } = award;
  const product = sku === null ? "no product" : `product ${sku}`;
  const period = `${locale.formatPeriod(startMs, endMs)}, times in ${locale.zoneText}`;
  return [
    ...wrapText("", `${awardId}: ${kind} of VPP ${vpp}, ${product}, ${period}`),
    ...wrapText("", awardSentence(award)),
  ];
}

function chainBlock(chain: readonly ChainEntry[], locale: PageLocale): readonly string[] {
  if (chain.length === 0) return [];
  const width = Math.max(...chain.map(({ atMs }) => locale.formatExact(atMs).length));
  const indent = " ".repeat(width + 6);
  return [
    "Events",
    ...chain.flatMap(({ atMs, text, round }) => [
      ...wrapText(`  ${locale.formatExact(atMs).padEnd(width)}  `, text),
      ...(round === null ? [] : dispatchLines(round)).flatMap((line) => wrapText(indent, line)),
    ]),
  ];
}

const uncoveredTitle = ({ uncoveredKw, requestedKw }: AwardRow): string =>
  `Uncovered at the start: ${formatKw(Math.abs(uncoveredKw ?? 0))} of ${formatKw(Math.abs(requestedKw))}, by cause`;

const fcrCapacityTitle = ({ fcr }: AwardRow): string =>
  `Uncovered FCR capacity at the start: ${formatKw(fcr?.uncoveredKw ?? 0)} of ${formatKw(fcr?.responseKw ?? 0)}, by cause`;

/** Activated energy of an award with frequency response. */
function responseBlock({ fcr }: AwardRow): readonly string[] {
  if (fcr === null || fcr.activatedUpKwh === null || fcr.activatedDownKwh === null) return [];
  const energy = `${formatFixed(fcr.activatedUpKwh, 3)} kWh upward and ${formatFixed(fcr.activatedDownKwh, 3)} kWh downward activated energy`;
  const mean = `mean response ${formatKw(fcr.meanResponseKw ?? 0)}`;
  const bound = `${formatFixed(fcr.minutesAtBound ?? 0, 1)} minutes at an SOC limit, summed over members`;
  return wrapText("Frequency response: ", `${energy}, ${mean}; ${bound}`);
}

const shortfallTitle = ({ shortfallKwh, requestedKwh }: AwardRow): string =>
  `Shortfall: ${formatFixed(shortfallKwh ?? 0, 3)} kWh of ${formatFixed(Math.abs(requestedKwh ?? 0), 3)} kWh requested, by cause`;

/** Amounts have three decimals, as in the files, so that they add up. */
function shareBlock(
  title: string,
  shares: readonly CauseShare[],
  total: number | null,
  unit: string,
): readonly string[] {
  if (shares.length === 0 || total === null) return [];
  const rows = [
    ...shares.map((share) => ({ name: share.cause, amount: share.amount, text: shareText(share, unit) })),
    { name: "total", amount: Math.abs(total), text: "" },
  ];
  const amounts = rows.map(({ amount }) => formatFixed(amount, 3));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const amountWidth = Math.max(...amounts.map(({ length }) => length));
  return [
    ...wrapText("", title),
    ...rows.flatMap(({ name, text }, k) =>
      wrapText(`  ${name.padEnd(nameWidth)}  ${amounts[k].padStart(amountWidth)} ${unit}  `, text),
    ),
  ];
}

function sessionBlock(
  { openedMs, shortfallKwh, causes, largestUncoveredKw }: SessionParts,
  locale: PageLocale,
): readonly string[] {
  const rows = [
    ...causes.map((part) => ({ name: part.cause, ...part, unit: "kWh", decimals: 3 })),
    { name: "shortfall", ...shortfallKwh, unit: "kWh", decimals: 3 },
    ...(largestUncoveredKw === null
      ? []
      : [{ name: "largest uncovered power", ...largestUncoveredKw, unit: "kW", decimals: 1 }]),
  ];
  const cells = rows.map(({ name, before, within, unit, decimals }) => [
    name,
    ...[before, within].map((amount) => `${formatFixed(amount, decimals)} ${unit}`),
  ]);
  return [
    ...wrapText("", `The session opened at ${locale.formatExact(openedMs)}, while the award was in force`),
    ...alignColumns([["", "before it", "in the session"], ...cells]),
  ];
}

function shareText({ cause, amount, members }: CauseShare, unit: string): string {
  const { label } = CAUSE_TEXT[cause];
  if (members.length === 0) return label;
  const names = members
    .slice(0, NAMES_MAX)
    .map((member) =>
      member.amount === null ? member.site : `${member.site} ${formatFixed(member.amount, 1)}\u00a0${unit}`,
    );
  const unnamed = members.reduce((rest, member) => rest - (member.amount ?? amount), amount);
  // A report names three pairs of member and cause per award, so there may be others.
  const others =
    members.length > NAMES_MAX ? `, and ${members.length - NAMES_MAX} more` : unnamed < 0.05 ? "" : ", and others";
  return `${label}: ${names.join(", ")}${others}`;
}
