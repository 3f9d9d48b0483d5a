// Blocks of time beside a curve: awards, outages, maintenance, output control.

import type { OutageSpan, OutputControlSpan, RunRecord } from "../../../accounting/runRecord.ts";
import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { sumOf } from "../../../base/lists.ts";
import type { EpochMs } from "../../../base/time.ts";
import { causesBySize } from "../../awardSentence.ts";
import { formatFixed, formatKwh, PRINTED_MIN } from "../page/format.ts";
import type { PageTexts, Translate } from "../page/pageLocale.ts";
import { type ColourName, causeColour } from "../page/palette.ts";

/** A period with a label; `note` has the text that does not fit into the label. */
export interface TimeBlock {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly colour: ColourName;
  /** At most as many lines as `lines` of its row. */
  readonly label: string;
  /** Empty: no note. */
  readonly note: string;
}

/** A row of blocks that do not overlap; further rows of one kind have an empty title. */
export interface BlockRow {
  readonly title: string;
  /** Lines of each label. */
  readonly lines: 1 | 2;
  readonly blocks: readonly TimeBlock[];
}

/** A block before packing; of merged blocks the one with the largest `weight` gives the colour. */
interface WeightedBlock extends TimeBlock {
  readonly weight: number;
  readonly count: number;
}

interface Kind {
  readonly name: "awards" | "outages" | "maintenance" | "output_control";
  readonly rowsMax: number;
  readonly lines: 1 | 2;
}

/** Blocks of one chart. */
const BLOCKS_MAX = 800;
const AWARDS: Kind = { name: "awards", rowsMax: 3, lines: 2 };
const OUTAGES: Kind = { name: "outages", rowsMax: 2, lines: 1 };
const MAINTENANCE: Kind = { name: "maintenance", rowsMax: 2, lines: 1 };
const OUTPUT_CONTROL: Kind = { name: "output_control", rowsMax: 2, lines: 1 };

/** Rows of the awards of a VPP. */
export function awardRows(record: RunRecord, vpp: string | null, texts: PageTexts): readonly BlockRow[] {
  const blocks = record.awards.filter((award) => award.vpp === vpp).map((award) => awardBlock(award, record, texts));
  return packRows(blocks, AWARDS, record, texts);
}

/** Rows of outages, maintenance and output control at a set of sites; kinds without a block are omitted. */
export function limitRows(record: RunRecord, sites: ReadonlySet<string>, texts: PageTexts): readonly BlockRow[] {
  const { outages, outputControls } = record;
  const isShown = ({ site }: { site: string }): boolean => sites.has(site);
  const [planned, unplanned] = [true, false].map((kind) =>
    outages.filter((span) => isShown(span) && span.planned === kind).map((span) => outageBlock(span, texts)),
  );
  return [
    ...packRows(unplanned, OUTAGES, record, texts),
    ...packRows(planned, MAINTENANCE, record, texts),
    ...packRows(outputControls.filter(isShown).map(outputControlBlock), OUTPUT_CONTROL, record, texts),
  ];
}

/** Period from the start of an award to its end, with its request and its shortfall. */
function awardBlock(award: AwardRow, period: { startMs: EpochMs; endMs: EpochMs }, { t }: PageTexts): WeightedBlock {
  const { awardId, startMs, endMs, requestedKw, shortfallKwh, isFcr, state } = award;
  const [largest] = causesBySize(isFcr ? award.uncoveredByCauseKw : award.shortfallByCauseKwh);
  const main = largest !== undefined && PRINTED_MIN <= largest.amount ? largest : undefined;
  const outcomes = [
    ...(shortfallKwh !== null && PRINTED_MIN <= shortfallKwh
      ? [t("block.shortfall", { kwh: formatKwh(shortfallKwh) })]
      : []),
    ...(main === undefined ? [] : [t("block.mainly", { cause: t(`cause.${main.cause}`).toLowerCase() })]),
    ...(state === "completed" ? [] : [t(`state.${state}`)]),
  ];
  const request = `${isFcr ? "±" : ""}${formatFixed(requestedKw, Number.isInteger(requestedKw) ? 0 : 1)}\u00a0kW`;
  return {
    startMs: Math.max(startMs, period.startMs),
    endMs: Math.min(endMs, period.endMs),
    colour: main === undefined ? "neutral" : causeColour(main.cause),
    label: `${awardId}\n${request}`,
    note: outcomes.join(t("list.separator")),
    weight: main === undefined ? 0 : main.amount,
    count: 1,
  };
}

function outageBlock({ site, startMs, endMs, planned }: OutageSpan, { formatDuration }: PageTexts): WeightedBlock {
  const colour = planned ? "s6" : causeColour("out_of_service");
  return {
    startMs,
    endMs,
    colour,
    label: site,
    note: formatDuration(endMs - startMs),
    weight: endMs - startMs,
    count: 1,
  };
}

function outputControlBlock({ site, startMs, endMs, limitPct }: OutputControlSpan): WeightedBlock {
  const label = `${site} ≤ ${formatFixed(limitPct, 0)}\u00a0%`;
  const colour = causeColour("output_control");
  return { startMs, endMs, colour, label, note: "", weight: 100 - limitPct, count: 1 };
}

export const rowHeightPx = ({ lines }: BlockRow): number => (lines === 2 ? 34 : 20);

/** Packs blocks into rows; merges neighbours if they are too many. */
function packRows(
  blocks: readonly WeightedBlock[],
  kind: Kind,
  { startMs, endMs }: { startMs: EpochMs; endMs: EpochMs },
  { t }: PageTexts,
): readonly BlockRow[] {
  const inside = blocks
    .filter((block) => block.startMs < endMs && startMs < block.endMs)
    .map((block, k) => ({ block, k }))
    .sort((a, b) => a.block.startMs - b.block.startMs || a.k - b.k)
    .map(({ block }) => block);
  for (let gapMs = 0; ; gapMs = Math.max((endMs - startMs) / 8192, 2 * gapMs)) {
    const rows = greedyRows(inside, kind, gapMs, t);
    if (BLOCKS_MAX < sumOf(rows, (row) => row.length)) continue;
    return rows.map((row, k) => ({ title: k === 0 ? t(`block.${kind.name}`) : "", lines: kind.lines, blocks: row }));
  }
}

/** Each block goes to the first free row; where all are occupied, and where the gap is too small, blocks are merged. */
function greedyRows(
  blocks: readonly WeightedBlock[],
  { rowsMax, name }: Kind,
  gapMs: number,
  t: Translate,
): WeightedBlock[][] {
  const rows: WeightedBlock[][] = [];
  for (const block of blocks) {
    const free = rows.find((row) => row[row.length - 1].endMs <= block.startMs);
    const row = free ?? (rows.length < rowsMax ? addedRow(rows) : rows[rows.length - 1]);
    const last = row[row.length - 1];
    const isNear = last !== undefined && block.startMs - last.endMs < gapMs && block.endMs - last.startMs < 2 * gapMs;
    if (last !== undefined && (block.startMs < last.endMs || isNear))
      row[row.length - 1] = merged(last, block, (count) => t(`block.count.${name}`, { count }));
    else row.push(block);
  }
  return rows;
}

function addedRow(rows: WeightedBlock[][]): WeightedBlock[] {
  const row: WeightedBlock[] = [];
  rows.push(row);
  return row;
}

function merged(a: WeightedBlock, b: WeightedBlock, labelOf: (count: number) => string): WeightedBlock {
  const count = a.count + b.count;
  return {
    startMs: a.startMs,
    endMs: Math.max(a.endMs, b.endMs),
    colour: a.weight < b.weight ? b.colour : a.colour,
    label: labelOf(count),
    note: "",
    weight: Math.max(a.weight, b.weight),
    count,
  };
}

/** Merges blocks that are closer than `gapMs`, for a drawing in which they would share a pixel. */
export const mergeNear = (rows: readonly BlockRow[], gapMs: number): readonly BlockRow[] =>
  rows.map(({ blocks, ...row }) => {
    const shown: TimeBlock[] = [];
    for (const block of blocks) {
      const last = shown[shown.length - 1];
      if (last !== undefined && block.startMs - last.endMs < gapMs && block.endMs - last.startMs < 4 * gapMs)
        shown[shown.length - 1] = { ...last, endMs: Math.max(last.endMs, block.endMs), label: "" };
      else shown.push(block);
    }
    return { ...row, blocks: shown };
  });
