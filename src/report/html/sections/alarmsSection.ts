import type { AlarmRow } from "../../alarmRow.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { numberCell } from "../page/format.ts";
import { html } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";

/** A longer journal is in alarms.csv alone. */
const ROWS_MAX = 300;

/** The journal of the session's alarms. @param alarms  `null`: the run is of no session */
export function alarmsSection(alarms: readonly AlarmRow[] | null, locale: PageLocale): Section | null {
  if (alarms === null || alarms.length === 0) return null;
  const shown = alarms.slice(0, ROWS_MAX);
  const count = new Set(alarms.map(({ id }) => id)).size;
  const { t } = locale;
  const rest = alarms.length - shown.length;
  return {
    id: "alarms",
    contentsTitle: t("journal.contents"),
    title: t("journal.title", { count }),
    intro: t(rest === 0 ? "journal.intro" : "journal.intro_excerpt", { shown: shown.length, count: alarms.length }),
    body: dataTable(t("journal.caption"), shown, [
      { title: t("head.time"), cell: ({ atMs }) => locale.renderTime(atMs) },
      { title: t("journal.change"), cell: ({ what }) => what },
      { title: t("journal.priority"), align: "right", cell: ({ priority }) => String(priority) },
      { title: t("journal.alarm"), cell: ({ text }) => text },
      { title: t("journal.since"), cell: ({ sinceMs }) => locale.renderTime(sinceMs) },
      {
        title: t("journal.missing"),
        unit: "kW",
        align: "right",
        cell: ({ kw }) => (kw === null ? html`` : numberCell(kw, 1)),
      },
      { title: t("journal.by"), cell: ({ by, name }) => name ?? by ?? "" },
    ]),
  };
}
