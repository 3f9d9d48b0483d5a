import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useEventHistory, useNowMs } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { useEventText } from "../../texts/useEventText.ts";

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
        <ul className="events">
          {events.map((event) => (
            <li key={event.seq}>
              <a href={hrefTo(["sites", site], { at: event.at })}>{times.instant(msOf(event.at), nowMs)}</a>
              <span>{textOf(event)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
