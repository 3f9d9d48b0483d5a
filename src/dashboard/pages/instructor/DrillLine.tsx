import { Anchor } from "@mantine/core";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { msOf } from "../../format/times.ts";
import { useAlarms } from "../alarms/AlarmsProvider.tsx";
import { countOf } from "../alarms/alarmList.ts";
import { useActionText } from "./useActionText.ts";
import { useTraineeActions } from "./useTraineeActions.ts";

/** The drill, what the trainee did last, and how many alarms are active, in place of the trainee's alarm line. */
export function DrillLine() {
  const { t } = useTexts();
  const times = useTimes();
  const drill = useDrill();
  const textOf = useActionText();
  const list = useAlarms();
  const last = useTraineeActions().at(-1);
  const activeCount = list.alarms.length - countOf(list, "cleared");
  return (
    <section className="alarm-line" aria-label={t("instructor.drill")}>
      <div className="alarm-line-text">
        <b>{drill?.title ?? t("instructor.no_drill")}</b>
        {last !== undefined && (
          <span className="alarm-line-message muted">
            {t("instructor.last_action", { at: times.clock(msOf(last.at)), text: textOf(last) })}
          </span>
        )}
      </div>
      <span className="alarm-line-counts">{t("instructor.alarms_active", { count: activeCount })}</span>
      <Anchor href="/" target="_blank" size="sm">
        {t("instructor.trainee_page")}
      </Anchor>
    </section>
  );
}
