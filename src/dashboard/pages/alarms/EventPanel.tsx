import { Anchor } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useEvents } from "../../data/hooks.ts";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { EventRow } from "./AllEvents.tsx";

const SHOWN = 8;

/** The latest events beside the chart. */
export function EventPanel() {
  const { t } = useTexts();
  const events = useEvents();
  const latest = events.slice(-SHOWN).reverse();
  return (
    <Panel
      title={t("events.title")}
      actions={
        <Anchor href={hrefTo(["alarms"])} size="sm">
          {t("events.all")}
        </Anchor>
      }
    >
      {latest.length === 0 && <EmptyState>{t("events.none")}</EmptyState>}
      <ol className="plain-list">
        {latest.map((event) => (
          <li key={event.seq}>
            <EventRow event={event} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}
