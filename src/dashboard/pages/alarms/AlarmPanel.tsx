import { Anchor } from "@mantine/core";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { AlarmBadge } from "../../parts/AlarmBadge.tsx";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { useMessageText } from "../../texts/useMessageText.ts";
import { AcknowledgeButton, AlarmLinks } from "./AlarmActions.tsx";
import { useAlarms } from "./AlarmsProvider.tsx";
import type { Alarm } from "./alarm.ts";

/** Alarms beside the chart; more stand on the page of alarms. */
const SHOWN_MAX = 6;

/** The most urgent alarms, beside the chart. */
export function AlarmPanel() {
  const { t } = useTexts();
  const { alarms, raisedMs } = useAlarms();
  const moreCount = alarms.length - SHOWN_MAX;
  return (
    <Panel title={t("alarms.title")} note={t("alarms.load", { count: raisedMs.length })}>
      <div className="alarm-window">
        {alarms.length === 0 ? (
          <EmptyState>{t("alarms.none")}</EmptyState>
        ) : (
          <ul className="alarm-list">
            {alarms.slice(0, SHOWN_MAX).map((alarm) => (
              <AlarmItem key={alarm.id} alarm={alarm} />
            ))}
          </ul>
        )}
        {moreCount > 0 && (
          <Anchor href={hrefTo(["alarms"])} size="sm">
            {t("alarms.more_on_page", { count: moreCount })}
          </Anchor>
        )}
      </div>
    </Panel>
  );
}

/** One alarm: priority, text, state, signs and links. */
export function AlarmItem({ alarm }: { readonly alarm: Alarm }) {
  const textOf = useMessageText();
  return (
    <li className="alarm-item" data-state={alarm.state}>
      <AlarmBadge priority={alarm.priority} />
      <div className="alarm-body">
        <div className="alarm-head">
          <span className="alarm-text">{textOf(alarm.text)}</span>
          <AcknowledgeButton alarm={alarm} />
        </div>
        <AlarmTimes alarm={alarm} />
        <AlarmSigns alarm={alarm} />
        <AlarmLinks alarm={alarm} />
      </div>
    </li>
  );
}

function AlarmTimes({ alarm: { state, raisedMs, clearedMs, returns } }: { readonly alarm: Alarm }) {
  const { t } = useTexts();
  const times = useTimes();
  return (
    <p className="alarm-times">
      <span className="state-tag" data-state={state}>
        {t(`alarms.state.${state}`)}
      </span>
      <span className="muted">
        {times.clock(raisedMs)}
        {clearedMs === null ? "" : ` · ${t("alarms.cleared_at", { at: times.clock(clearedMs) })}`}
        {returns === 0 ? "" : ` · ${t("alarms.returned", { count: returns })}`}
      </span>
    </p>
  );
}

/** Consequences of the same cause, folded up. */
function AlarmSigns({ alarm: { signs } }: { readonly alarm: Alarm }) {
  const { t } = useTexts();
  const textOf = useMessageText();
  if (signs.length === 0) return null;
  return (
    <details className="alarm-signs">
      <summary>{t("alarms.signs", { count: signs.length })}</summary>
      <ul>
        {signs.map((sign) => (
          <li key={JSON.stringify(sign)}>{textOf(sign)}</li>
        ))}
      </ul>
    </details>
  );
}
