import type { AlarmRow } from "../../alarmRow.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, numberCell } from "../page/format.ts";
import { html } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";

/** A longer journal is in alarms.csv alone. */
const ROWS_MAX = 300;

/** The journal of the session's alarms. @param alarms  `null`: the run is of no session */
export function alarmsSection(alarms: readonly AlarmRow[] | null, locale: PageLocale): Section | null {
  if (alarms === null || alarms.length === 0) return null;
  const shown = alarms.slice(0, ROWS_MAX);
  const count = new Set(alarms.map(({ id }) => id)).size;
  const rest = alarms.length - shown.length;
  return {
    id: "alarms",
    contentsTitle: "Alarms",
    title: formatCount(count, "alarm"),
    intro: `What the session raised, and who acted on it.${rest === 0 ? "" : ` The first ${shown.length} changes; alarms.csv has all ${alarms.length}.`}`,
    body: dataTable("Journal of the alarms", shown, [
      { title: "Time", cell: ({ atMs }) => locale.renderTime(atMs) },
      { title: "Change", cell: ({ what }) => what },
      { title: "Priority", align: "right", cell: ({ priority }) => String(priority) },
      { title: "Alarm", cell: ({ text }) => text },
      { title: "Since", cell: ({ sinceMs }) => locale.renderTime(sinceMs) },
      { title: "Missing", unit: "kW", align: "right", cell: ({ kw }) => (kw === null ? html`` : numberCell(kw, 1)) },
      { title: "By", cell: ({ by, name }) => name ?? by ?? "" },
    ]),
  };
}
