import { Anchor } from "@mantine/core";
import type { SandboxEvent } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useEventsRead } from "../../data/hooks.ts";
import { Panel, ResourceView } from "../../parts/Panel.tsx";
import { EventRow, NoEvent } from "./AllEvents.tsx";

const SHOWN = 8;

/** The latest events beside the chart. */
export function EventPanel() {
  const { t } = useTexts();
  const events = useEventsRead();
  return (
    <Panel
      title={t("events.title")}
      actions={
        <Anchor href={hrefTo(["alarms"])} size="sm">
          {t("events.all")}
        </Anchor>
      }
    >
      <ResourceView resource={events}>
        {(value) => (value.length === 0 ? <NoEvent /> : <LatestEvents events={value} />)}
      </ResourceView>
    </Panel>
  );
}

function LatestEvents({ events }: { readonly events: readonly SandboxEvent[] }) {
  return (
    <ol>
      {events
        .slice(-SHOWN)
        .reverse()
        .map((event, place) => (
          // A row keeps its place and changes its text, so that a new event moves none of them.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is the row
          <li key={place}>
            <EventRow event={event} hasKind={false} />
          </li>
        ))}
    </ol>
  );
}
