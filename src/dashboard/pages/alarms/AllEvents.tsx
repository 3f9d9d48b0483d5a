import { Anchor, Box, Select } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useMemo, useRef } from "react";
import type { SandboxEvent } from "../../../api/client/sandboxTypes.ts";
import { SANDBOX_EVENT_KINDS } from "../../../api/client/wireValues.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo, useQueryState } from "../../app/route.ts";
import { useEventHistory, useEventsRead, useNowMs, useSession } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { useEventText } from "../../messages/useMessageText.ts";
import { EmptyState, Panel } from "../../parts/Panel.tsx";

/** Height of a row before it is measured, in px. */
const ROW_PX = 31;

/** All events, newest first, by kind and site. Only the rows in sight are elements of the page. */
export function AllEvents() {
  const { t } = useTexts();
  const events = useEventHistory();
  const isRead = useEventsRead().value !== null;
  const [kind] = useQueryState("kind", "");
  const [site] = useQueryState("event_site", "");
  const found = useMemo(() => filteredEvents(events, { kind, site }), [events, kind, site]);
  return (
    <Panel
      title={t("events.title")}
      note={t("events.count", { count: found.length, total: events.length })}
      actions={<EventFilters />}
    >
      {events.length === 0 && (isRead ? <NoEvent /> : <EmptyState>{t("resource.loading")}</EmptyState>)}
      {events.length > 0 && found.length === 0 && <EmptyState>{t("events.none_found")}</EmptyState>}
      {found.length > 0 && <EventRows events={found} />}
    </Panel>
  );
}

/** No event yet, and how there will be some. */
export function NoEvent() {
  const { t } = useTexts();
  return (
    <EmptyState>
      {t("events.none")} {t("events.none_why")}
    </EmptyState>
  );
}

function EventFilters() {
  const { t } = useTexts();
  const { sites } = useSession();
  const [kind, setKind] = useQueryState("kind", "");
  const [site, setSite] = useQueryState("event_site", "");
  const kinds = SANDBOX_EVENT_KINDS.map((value) => ({ value, label: t(`events.kind.${value}`) }));
  const names = sites.map(({ name }) => ({ value: name, label: name }));
  return (
    <>
      <Select
        aria-label={t("events.kind")}
        data={[{ value: "", label: t("events.all_kinds") }, ...kinds]}
        value={kind}
        onChange={setKind}
        w="11rem"
      />
      <Select
        aria-label={t("events.site")}
        data={[{ value: "", label: t("events.all_sites") }, ...names]}
        value={site}
        onChange={setSite}
        searchable
        w="11rem"
      />
    </>
  );
}

function EventRows({ events }: { readonly events: readonly SandboxEvent[] }) {
  const { t } = useTexts();
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (k) => events[k].seq,
    overscan: 12,
  });
  // Heights of rows out of sight are estimates: the browser's own End stops short of the last.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "End" || event.target !== scroller.current) return;
    event.preventDefault();
    rows.scrollToIndex(events.length - 1, { align: "end" });
  };
  return (
    // A region that scrolls takes the focus, so that arrow keys can move it.
    <Box
      component="section"
      h="calc(100vh - 12.5rem)"
      mih="12rem"
      style={{ overflowY: "auto" }}
      ref={scroller}
      tabIndex={0}
      aria-label={t("events.all")}
      onKeyDown={onKeyDown}
    >
      <Box component="ol" pos="relative" h={rows.getTotalSize()}>
        {rows.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            data-index={index}
            ref={rows.measureElement}
            style={{ position: "absolute", inset: "0 0 auto", transform: `translateY(${start}px)` }}
            aria-setsize={events.length}
            aria-posinset={index + 1}
          >
            <EventRow event={events[index]} hasKind />
          </li>
        ))}
      </Box>
    </Box>
  );
}

/** One event: its moment links to the chart, its award to its story. */
export function EventRow({ event, hasKind }: { readonly event: SandboxEvent; readonly hasKind: boolean }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const [, openStory] = useQueryState("story", "");
  const textOf = useEventText();
  const { at, kind, site, award_id } = event;
  const atMs = msOf(at);
  const isToday = times.instant(atMs, nowMs) === times.time(atMs);
  const time = isToday ? times.clock(atMs) : `${times.shortDay(atMs)} ${times.clock(atMs)}`;
  return (
    <Box
      className="event-row"
      display="grid"
      py="xs"
      style={{
        gridTemplateColumns: `5.75rem ${hasKind ? "8rem " : ""}minmax(0, 1fr)`,
        gap: "0.5rem",
        borderTop: "1px solid var(--line)",
      }}
    >
      <Anchor href={hrefTo(["now"], { at })} aria-label={t("alarms.on_chart_of", { at: time })} title={at} size="sm">
        {time}
      </Anchor>
      {hasKind && <span className="muted">{t(`events.kind.${kind}`)}</span>}
      <span style={{ overflowWrap: "anywhere" }}>
        {textOf(event)}
        {site !== null && (
          <>
            {" · "}
            <Anchor href={hrefTo(["sites", site])} size="sm" underline="always">
              {site}
            </Anchor>
          </>
        )}
        {award_id !== null && (
          <>
            {" · "}
            <Anchor
              component="button"
              type="button"
              size="sm"
              underline="always"
              aria-label={t("alarms.why_of", { award: String(event.data.name ?? award_id) })}
              onClick={() => openStory(award_id)}
            >
              {t("alarms.why")}
            </Anchor>
          </>
        )}
      </span>
    </Box>
  );
}

interface EventFilter {
  /** Empty: all. */
  readonly kind: string;
  readonly site: string;
}

/** Events that pass the filter, newest first. */
function filteredEvents(events: readonly SandboxEvent[], { kind, site }: EventFilter): readonly SandboxEvent[] {
  return events
    .filter((event) => (kind === "" || event.kind === kind) && (site === "" || event.site === site))
    .reverse();
}
