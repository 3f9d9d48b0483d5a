// The story of one award for the terminal.

import type { AwardRow } from "../../accounting/runRecord.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { awardSentence } from "../awardSentence.ts";
import { formatFixed, formatKw } from "../html/page/format.ts";
import { createLocalClock } from "../html/page/localClock.ts";
import { CAUSE_TEXT } from "../html/sections/causeText.ts";
import type { ChainEntry } from "./buildChain.ts";
import type { CauseShare } from "./causeShares.ts";
import { dispatchLines } from "./dispatchText.ts";
import type { AwardFacts } from "./readAwardFacts.ts";
import { wrapText } from "./wrapText.ts";

/** More names than this help nobody; the JSON has all of them. */
const NAMES_MAX = 8;

export function explainText(
  facts: AwardFacts,
  chain: readonly ChainEntry[],
  shortfall: readonly CauseShare[],
  uncovered: readonly CauseShare[],
  width: readonly CauseShare[],
): string {
  const { award, notes } = facts;
  const blocks = [
    headBlock(facts),
    chainBlock(chain),
    shareBlock(uncoveredTitle(award), uncovered, award.uncoveredKw, "kW"),
    shareBlock(fcrCapacityTitle(award), width, award.fcr?.uncoveredKw ?? null, "kW"),
    shareBlock(shortfallTitle(award), shortfall, award.shortfallKwh, "kWh"),
    responseBlock(award),
    notes.flatMap((note) => wrapText("Note: ", note)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headBlock({ award, timezone, runStartMs, runEndMs }: AwardFacts): readonly string[] {
  const { awardId, kind, vpp, sku, startMs, endMs } = award;
  const period = `${isoUtc(startMs)} to ${isoUtc(endMs)}`;
  const product = sku === null ? "no product" : `product ${sku}`;
  return [
    ...wrapText("", `${awardId}: ${kind} of VPP ${vpp}, ${product}, ${period}`),
    ...(timezone === null ? [] : wrapText("", localTimes(timezone, award, runStartMs, runEndMs))),
    ...wrapText("", awardSentence(award)),
  ];
}

function localTimes(timezone: string, award: AwardRow, startMs: EpochMs, endMs: EpochMs): string {
  const clock = createLocalClock(timezone, { startMs, endMs });
  const [startDay] = clock.formatLong(award.startMs).split(", ");
  const [endDay, endTime] = clock.formatLong(award.endMs).split(", ");
  const end = startDay === endDay ? endTime : `${endDay}, ${endTime}`;
  return `In ${timezone} (${clock.utcOffsets}): ${clock.formatLong(award.startMs)} to ${end}; below, times are UTC`;
}

function chainBlock(chain: readonly ChainEntry[]): readonly string[] {
  if (chain.length === 0) return [];
  const width = Math.max(...chain.map(({ atMs }) => isoUtc(atMs).length));
  const indent = " ".repeat(width + 6);
  return [
    "What happened",
    ...chain.flatMap(({ atMs, text, round }) => [
      ...wrapText(`  ${isoUtc(atMs).padEnd(width)}  `, text),
      ...(round === null ? [] : dispatchLines(round)).flatMap((line) => wrapText(indent, line)),
    ]),
  ];
}

const uncoveredTitle = ({ uncoveredKw, requestedKw }: AwardRow): string =>
  `Not covered at the start: ${formatKw(Math.abs(uncoveredKw ?? 0))} of ${formatKw(Math.abs(requestedKw))}, by cause`;

const fcrCapacityTitle = ({ fcr }: AwardRow): string =>
  `Of its width, not covered at the start: ${formatKw(fcr?.uncoveredKw ?? 0)} of ${formatKw(fcr?.responseKw ?? 0)}, by cause`;

/** What frequency response came to. */
function responseBlock({ fcr }: AwardRow): readonly string[] {
  if (fcr === null || fcr.activatedUpKwh === null || fcr.activatedDownKwh === null) return [];
  const moved = `moved ${formatFixed(fcr.activatedUpKwh, 3)} kWh up and ${formatFixed(fcr.activatedDownKwh, 3)} kWh down`;
  const mean = `on average ${formatKw(fcr.meanResponseKw ?? 0)}`;
  const bound = `${formatFixed(fcr.minutesAtBound ?? 0, 1)} minutes at a bound of a store, all members together`;
  return wrapText("Frequency response: ", `${moved}, ${mean}; ${bound}`);
}

const shortfallTitle = ({ shortfallKwh, requestedKwh }: AwardRow): string =>
  `Short: ${formatFixed(shortfallKwh ?? 0, 3)} kWh of ${formatFixed(Math.abs(requestedKwh ?? 0), 3)} kWh asked, by cause`;

/** Amounts at three decimals, as in the file, so that they add up. */
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

function shareText({ cause, amount, members }: CauseShare, unit: string): string {
  const { label } = CAUSE_TEXT[cause];
  if (members.length === 0) return label;
  const names = members
    .slice(0, NAMES_MAX)
    .map(({ site, amount: own }) => (own === null ? site : `${site} ${formatFixed(own, 1)}\u00a0${unit}`));
  const left = members.reduce((rest, member) => rest - (member.amount ?? amount), amount);
  // The report names three pairs of member and cause for each award: there may be others.
  const others =
    members.length > NAMES_MAX ? `, and ${members.length - NAMES_MAX} more` : left < 0.05 ? "" : ", and others";
  return `${label}: ${names.join(", ")}${others}`;
}
