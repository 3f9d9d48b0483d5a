import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useEventHistory, useNowMs } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { EventLine } from "../../parts/TimedRow.tsx";
import { useEventText } from "../../texts/useMessageText.ts";

const SHOWN_MAX = 30;

/** What happened at a site, newest first; each links to its moment on the chart. */
export function SiteEvents({ site }: { readonly site: string }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const textOf = useEventText();
  const events = useEventHistory()
    .filter((event) => event.site === site)
    .slice(-SHOWN_MAX)
    .reverse();
  return (
    <Panel title={t("site.events")}>
      {events.length === 0 ? (
        <EmptyState>{t("site.no_events")}</EmptyState>
      ) : (
        <ul>
          {events.map((event) => (
            <EventLine key={event.seq}>
              <a className="nowrap" href={hrefTo(["sites", site], { at: event.at })}>
                {times.instant(msOf(event.at), nowMs)}
              </a>
              <span>{textOf(event)}</span>
            </EventLine>
          ))}
        </ul>
      )}
    </Panel>
  );
}
