// Commands, faults and notices in the order in which they occurred.
import type { RunEvent } from "../../../accounting/runRecord.ts";
import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import {
  boundOf,
  OUTAGE_TEXT,
  outputControlText,
  partialFaultText,
  redispatchText,
  reductionText,
} from "../../eventText.ts";
import { parseRefusalKind, REFUSAL_TEXT } from "../../refusalText.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, formatFixed, formatKw, formatKwh, formatList, PRINTED_MIN } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";

type EventGroup = "command" | "fault" | "recovery" | "notice" | "device";

interface ChronologyEntry extends RunEvent {
  readonly group: EventGroup;
  readonly text: string;
  /** 0: always shown; a long chronology leaves out the higher ones first. */
  readonly routine: number;
}

const GROUPS: Readonly<Record<string, EventGroup>> = {
  outage_start: "fault",
  outage_end: "recovery",
  maintenance: "fault",
  warning: "fault",
  link: "fault",
  fcr_fault: "fault",
  output_control: "fault",
  derate: "fault",
  irradiance: "fault",
  sensor: "fault",
  noticed: "notice",
  redispatch: "notice",
  soc_bound: "device",
  dr_event: "device",
  connection_limit: "device",
};

/** Details with which a fault ends. */
const ENDS: ReadonlySet<string> = new Set(["off", "up", "lifted", "ends", "full power again"]);

/** @param award  of the subject; `undefined` if the subject is no award */
function chronologyEntry(event: RunEvent, award: AwardRow | undefined): ChronologyEntry {
  const kindGroup = GROUPS[event.kind] ?? "command";
  const group = kindGroup === "fault" && ENDS.has(event.detail) ? "recovery" : kindGroup;
  const { text, routine = 0 } = describe(event, award);
  return { ...event, group, text, routine };
}

/** Texts by level of `routine` for the entries that a long chronology omits. */
const ROUTINE_TEXT: readonly string[] = [
  "",
  "starts with uncovered power",
  "ends with a shortfall",
  "load reductions and storage limits",
  "ends without a shortfall",
  "starts that were allocated in full",
  "registrations",
  "changes of connection limits",
];

type Description = { readonly text: string; readonly routine?: number };

function describe({ kind, detail }: RunEvent, award: AwardRow | undefined): Description {
  switch (kind) {
    case "schedule_created":
      return { text: detail === "immediate" ? "sent as an immediate instruction" : "registered", routine: 6 };
    case "started": {
      const uncovered = redispatchText(detail, award);
      const request = award === undefined ? "" : `, ${requestText(award)} requested`;
      return { text: `starts${request}, ${uncovered ?? "allocated in full"}`, routine: uncovered === null ? 5 : 1 };
    }
    case "ended":
      return endText(detail, award);
    case "redispatch":
      return { text: `re-dispatched, ${redispatchText(detail, award) ?? "allocated in full"}` };
    case "schedule_split":
      return { text: `split: ${detail}` };
    case "schedule_deleted":
      return { text: `deleted: ${detail}` };
    case "refusal":
    case "request_refused":
      return { text: refusalText(detail) };
    case "noticed":
      return { text: noticeText(detail) };
    case "soc_bound":
      return { text: boundText(detail), routine: 3 };
    case "dr_event":
      return { text: reductionText(detail), routine: 3 };
    case "connection_limit":
      return { text: `connection limits: ${detail}`, routine: 7 };
    default:
      return { text: plantText(kind, detail) };
  }
}

function plantText(kind: string, detail: string): string {
  switch (kind) {
    case "outage_start":
      return `goes out of service (${OUTAGE_TEXT[detail] ?? detail})`;
    case "outage_end":
      return "back in service";
    case "maintenance":
      return `planned maintenance ${detail}`;
    case "warning":
      return detail === "on" ? "reports a warning, stays in service" : "warning cleared";
    case "link":
      return detail === "down" ? "unreachable, link down" : "reachable again";
    case "fcr_fault":
      return detail === "on" ? "frequency response fails" : "frequency response restored";
    case "output_control":
      return outputControlText(detail);
    case "weight":
      return `weight set, ${detail}`;
    case "direct_schedule":
      return `direct schedule ${detail}`;
    default:
      return partialFaultText(kind, detail) ?? detail;
  }
}

const requestText = ({ requestedKw, isFcr }: AwardRow): string =>
  `${formatKw(requestedKw)}${isFcr ? " of FCR capacity" : ""}`;

function endText(detail: string, award: AwardRow | undefined): Description {
  if (detail !== "") return { text: `ends: ${detail}` };
  const shortfallKwh = award?.shortfallKwh ?? 0;
  if (award === undefined || award.isFcr || award.state !== "completed") return { text: "ends", routine: 4 };
  return shortfallKwh < PRINTED_MIN
    ? { text: "ends, delivered in full", routine: 4 }
    : { text: `ends with a shortfall of ${formatKwh(shortfallKwh)}`, routine: 2 };
}

function refusalText(detail: string): string {
  const kind = parseRefusalKind(detail);
  return kind === null ? detail : `refused: ${REFUSAL_TEXT[kind]} (${kind})`;
}

/** "out of service, award-1": the state that the VPP detected, and the instruction that it affects. */
function noticeText(detail: string): string {
  const comma = detail.indexOf(", ");
  return comma < 0 ? `detected: ${detail}` : `detected: ${detail.slice(0, comma)}, during ${detail.slice(comma + 2)}`;
}

function boundText(detail: string): string {
  const { component, bound } = boundOf(detail);
  return `storage ${component === null ? "" : `${component} `}${bound}`;
}

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
  locale: PageLocale,
): Section | null {
  if (events.length === 0) return null;
  const awardOf = new Map(awards.map((award) => [award.awardId, award]));
  const entries = events.map((event) => chronologyEntry(event, awardOf.get(event.subject)));
  const { shown, omitted } = selectEntries(entries);
  const table = chronologyTable(shown, captionOf(entries.length, shown.length, omitted, locale), locale);
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

function captionOf(total: number, shown: number, omitted: readonly string[], locale: PageLocale): string {
  const times = `times in ${locale.zoneText}`;
  return shown === total
    ? `${formatCount(total, "event")} in the order in which they occurred, ${times}`
    : `${formatFixed(shown, 0)} of ${formatCount(total, "event")} in the order in which they occurred, ${times}; left out: ${formatList(omitted)}. The events and awards tables have all`;
}

const chronologyTable = (entries: readonly ChronologyEntry[], caption: string, locale: PageLocale): Markup =>
  dataTable(
    caption,
    entries,
    [
      { title: "Time", cell: ({ atMs }) => locale.renderTime(atMs) },
      { title: "Kind", cell: ({ group }) => html`<span class="kind ${group}">${GROUP_LABELS[group]}</span>` },
      { title: "Site, award or VPP", cell: ({ subject }) => html`<span class="id">${subject}</span>` },
      { title: "Event", cell: ({ text }) => text },
    ],
    { groupOf: ({ group }) => GROUP_LABELS[group] },
  );
