// Commands, faults and notices in the order in which they occurred.
import type { RunEvent } from "../../../accounting/runRecord.ts";
import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, formatFixed, formatList } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { html, type Markup } from "../page/markup.ts";
import { type ChronologyEntry, chronologyEntry, type EventGroup, ROUTINE_TEXT } from "./chronologyText.ts";

const ROWS_MAX = 300;
/** A longer table is folded. */
const UNFOLDED_MAX = 60;

const GROUP_LABELS: Readonly<Record<EventGroup, string>> = {
  command: "Command",
  fault: "Fault",
  recovery: "Recovery",
  notice: "Notice",
  device: "Device",
};

/** `null` without events. */
export function chronologySection(
  { events, awards }: { readonly events: readonly RunEvent[]; readonly awards: readonly AwardRow[] },
  clock: LocalClock,
): Section | null {
  if (events.length === 0) return null;
  const awardOf = new Map(awards.map((award) => [award.awardId, award]));
  const entries = events.map((event) => chronologyEntry(event, awardOf.get(event.subject)));
  const { shown, omitted } = selectEntries(entries);
  const table = chronologyTable(shown, captionOf(entries.length, shown.length, omitted, clock), clock);
  return {
    id: "chronology",
    contentsTitle: "Chronology",
    title: "Chronology",
    intro:
      "Commands to the VPPs, faults of plants and links and their ends, what the VPPs noticed, and limits that devices reached.",
    body:
      shown.length <= UNFOLDED_MAX
        ? table
        : html`<details><summary>Show ${formatCount(shown.length, "event")}</summary>${table}</details>`,
  };
}

/** Leaves out routine entries, the most frequent kinds first, until the rest fits; then the latest ones. */
function selectEntries(entries: readonly ChronologyEntry[]): {
  readonly shown: readonly ChronologyEntry[];
  readonly omitted: readonly string[];
} {
  let shown = entries;
  const omitted: string[] = [];
  for (let level = ROUTINE_TEXT.length - 1; 0 < level && ROWS_MAX < shown.length; level--) {
    const rest = shown.filter(({ routine }) => routine !== level);
    if (rest.length < shown.length) omitted.push(ROUTINE_TEXT[level]);
    shown = rest;
  }
  if (ROWS_MAX < shown.length) {
    shown = shown.slice(0, ROWS_MAX);
    omitted.push("all after the last one shown");
  }
  return { shown, omitted };
}

function captionOf(total: number, shown: number, omitted: readonly string[], clock: LocalClock): string {
  const times = `times in ${clock.zoneText}`;
  return shown === total
    ? `${formatCount(total, "event")} in the order in which they occurred, ${times}`
    : `${formatFixed(shown, 0)} of ${formatCount(total, "event")} in the order in which they occurred, ${times}; left out: ${formatList(omitted)}. The events and awards tables have all`;
}

const chronologyTable = (entries: readonly ChronologyEntry[], caption: string, clock: LocalClock): Markup =>
  dataTable(
    caption,
    entries,
    [
      { title: "Time", cell: ({ atMs }) => clock.renderTime(atMs) },
      { title: "Kind", cell: ({ group }) => html`<span class="kind ${group}">${GROUP_LABELS[group]}</span>` },
      { title: "Site, award or VPP", cell: ({ subject }) => html`<span class="id">${subject}</span>` },
      { title: "Event", cell: ({ text }) => text },
    ],
    { groupOf: ({ group }) => GROUP_LABELS[group] },
  );
