// Commands, faults and notices in the order in which they occurred.
import type { RunEvent } from "../../../accounting/runRecord.ts";
import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import {
  boundText,
  detailText,
  incidentText,
  outageText,
  outputControlText,
  partialFaultText,
  redispatchText,
  reductionText,
} from "../../eventText.ts";
import { parseRefusalKind } from "../../refusalText.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatKw, formatKwh, PRINTED_MIN } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";

type EventGroup = "command" | "fault" | "recovery" | "notice" | "device";

interface ChronologyEntry extends RunEvent {
  readonly group: EventGroup;
  /** Made for the entries that are shown. */
  readonly text: () => string;
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
function chronologyEntry(event: RunEvent, award: AwardRow | undefined, t: Translate): ChronologyEntry {
  const kindGroup = GROUPS[event.kind] ?? "command";
  const group = kindGroup === "fault" && ENDS.has(event.detail) ? "recovery" : kindGroup;
  const { text, routine = 0 } = describe(event, award, t);
  return { ...event, group, text, routine };
}

/** Levels of `routine`, the last one left out first. */
const ROUTINE_LEVELS = [1, 2, 3, 4, 5, 6, 7] as const;

type Description = Pick<ChronologyEntry, "text"> & { readonly routine?: number };

function describe({ kind, detail }: RunEvent, award: AwardRow | undefined, t: Translate): Description {
  const coverage = (): string => redispatchText(detail, award, t) ?? t("chronology.allocated");
  switch (kind) {
    case "schedule_created":
      return { text: () => t(detail === "immediate" ? "chronology.immediate" : "chronology.registered"), routine: 6 };
    case "started":
      return {
        text: () => startText(award, coverage(), t),
        routine: redispatchText(detail, award, t) === null ? 5 : 1,
      };
    case "ended":
      return endText(detail, award, t);
    case "redispatch":
      return { text: () => t("chronology.redispatched", { coverage: coverage() }) };
    case "schedule_split":
      return { text: () => t("chronology.split", { detail: detailText(detail, t) }) };
    case "schedule_deleted":
      return { text: () => t("chronology.deleted", { detail: detailText(detail, t) }) };
    case "refusal":
    case "request_refused":
      return { text: () => refusalText(detail, t) };
    case "noticed":
      return { text: () => noticeText(detail, t) };
    case "soc_bound":
      return { text: () => boundText(detail, t), routine: 3 };
    case "dr_event":
      return { text: () => reductionText(detail, t), routine: 3 };
    case "connection_limit":
      return { text: () => t("incident.limits", { limits: detailText(detail, t) }), routine: 7 };
    default:
      return { text: () => plantText(kind, detail, t) };
  }
}

function plantText(kind: string, detail: string, t: Translate): string {
  switch (kind) {
    case "outage_start":
      return outageText(detail, t);
    case "outage_end":
      return t("incident.outage_end");
    case "output_control":
      return outputControlText(detail, t);
    case "weight":
      return t("incident.weight", { weight: detail });
    case "direct_schedule":
      return t("incident.direct_schedule", { order: detailText(detail, t) });
    default:
      return incidentText(kind, detail, t) ?? partialFaultText(kind, detail, t) ?? detailText(detail, t);
  }
}

function startText(award: AwardRow | undefined, coverage: string, t: Translate): string {
  if (award === undefined) return t("chronology.starts", { coverage });
  const values = { kw: formatKw(award.requestedKw), coverage };
  return t(award.isFcr ? "chronology.starts_fcr" : "chronology.starts_request", values);
}

function endText(detail: string, award: AwardRow | undefined, t: Translate): Description {
  if (detail !== "") return { text: () => t("chronology.ends_why", { detail: detailText(detail, t) }) };
  const shortfallKwh = award?.shortfallKwh ?? 0;
  if (award === undefined || award.isFcr || award.state !== "completed")
    return { text: () => t("chronology.ends"), routine: 4 };
  return shortfallKwh < PRINTED_MIN
    ? { text: () => t("chronology.ends_delivered"), routine: 4 }
    : { text: () => t("chronology.ends_shortfall", { kwh: formatKwh(shortfallKwh) }), routine: 2 };
}

function refusalText(detail: string, t: Translate): string {
  const kind = parseRefusalKind(detail);
  return kind === null ? detailText(detail, t) : t("chronology.refused", { reason: t(`refusal.${kind}`), type: kind });
}

/** "out of service, award-1": the state that the VPP detected, and the instruction that it affects. */
function noticeText(detail: string, t: Translate): string {
  const comma = detail.indexOf(", ");
  const state = detailText(comma < 0 ? detail : detail.slice(0, comma), t);
  return comma < 0
    ? t("chronology.noticed", { state })
    : t("chronology.noticed_during", { state, award: detail.slice(comma + 2) });
}

const ROWS_MAX = 300;
/** A longer table is folded. */
const UNFOLDED_MAX = 60;

/** `null` without events. */
export function chronologySection(
  { events, awards }: { readonly events: readonly RunEvent[]; readonly awards: readonly AwardRow[] },
  locale: PageLocale,
): Section | null {
  if (events.length === 0) return null;
  const awardOf = new Map(awards.map((award) => [award.awardId, award]));
  const { t } = locale;
  const entries = events.map((event) => chronologyEntry(event, awardOf.get(event.subject), t));
  const { shown, omitted } = selectEntries(entries, t);
  const table = chronologyTable(shown, captionOf(entries.length, shown.length, omitted, locale), locale);
  return {
    id: "chronology",
    contentsTitle: t("chronology.title"),
    title: t("chronology.title"),
    intro: t("chronology.intro"),
    body:
      shown.length <= UNFOLDED_MAX
        ? table
        : html`<details><summary>${t("chronology.show", { count: shown.length })}</summary>${table}</details>`,
  };
}

/** Leaves out routine entries, the most frequent kinds first, until the rest fits; then the latest ones. */
function selectEntries(
  entries: readonly ChronologyEntry[],
  t: Translate,
): {
  readonly shown: readonly ChronologyEntry[];
  readonly omitted: readonly string[];
} {
  let shown = entries;
  const omitted: string[] = [];
  for (const level of ROUTINE_LEVELS.toReversed()) {
    if (shown.length <= ROWS_MAX) break;
    const rest = shown.filter(({ routine }) => routine !== level);
    if (rest.length < shown.length) omitted.push(t(`chronology.routine.${level}`));
    shown = rest;
  }
  if (ROWS_MAX < shown.length) {
    shown = shown.slice(0, ROWS_MAX);
    omitted.push(t("chronology.after_last"));
  }
  return { shown, omitted };
}

function captionOf(total: number, shown: number, omitted: readonly string[], locale: PageLocale): string {
  const values = { count: total, zone: locale.zoneText };
  return shown === total
    ? locale.t("chronology.all", values)
    : locale.t("chronology.excerpt", { ...values, shown, omitted: locale.formatList(omitted) });
}

function chronologyTable(entries: readonly ChronologyEntry[], caption: string, { t, renderTime }: PageLocale): Markup {
  const groupText = ({ group }: ChronologyEntry): string => t(`chronology.group.${group}`);
  return dataTable(
    caption,
    entries,
    [
      { title: t("head.time"), cell: ({ atMs }) => renderTime(atMs) },
      { title: t("head.kind"), cell: (entry) => html`<span class="kind ${entry.group}">${groupText(entry)}</span>` },
      { title: t("chronology.subject"), cell: ({ subject }) => html`<span class="id">${subject}</span>` },
      { title: t("head.event"), cell: ({ text }) => text() },
    ],
    { groupOf: groupText },
  );
}
