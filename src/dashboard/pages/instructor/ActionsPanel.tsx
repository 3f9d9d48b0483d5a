import { useTexts, useTimes } from "../../app/preferences.tsx";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { useActions } from "./useActions.ts";

const SHOWN = 50;

/** What the trainee does, newest first. */
export function ActionsPanel() {
  const { t } = useTexts();
  const times = useTimes();
  const actions = [...(useActions().value ?? [])].slice(-SHOWN).reverse();
  return (
    <Panel title={t("instructor.actions")} note={t("instructor.actions_live")}>
      {actions.length === 0 && <EmptyState>{t("instructor.no_actions")}</EmptyState>}
      <ol className="plain-list action-list" aria-live="polite">
        {actions.map(({ seq, at, text }) => (
          <li key={seq} className="timed-row">
            <time dateTime={at}>{times.clock(msOf(at))}</time>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
