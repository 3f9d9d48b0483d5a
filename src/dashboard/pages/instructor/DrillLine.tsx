import { Anchor, Box, Group } from "@mantine/core";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { msOf } from "../../format/times.ts";
import { useAlarms } from "../alarms/useAlarms.ts";
import { useActionText } from "./useActionText.ts";
import { useTraineeActions } from "./useTraineeActions.ts";

/** The drill, what the trainee did last, and how many alarms are active, in place of the trainee's alarm line. */
export function DrillLine() {
  const { t } = useTexts();
  const times = useTimes();
  const drill = useDrill();
  const textOf = useActionText();
  const { counts } = useAlarms();
  const last = useTraineeActions().at(-1);
  const activeCount = counts.new + counts.acknowledged + counts.shelved;
  return (
    <Group component="section" wrap="nowrap" h="2.375rem" px="md" bg="var(--raised)" aria-label={t("instructor.drill")}>
      <Group className="alarm-line-text" flex={1} gap="0.625rem" wrap="nowrap" miw={0}>
        <b>{drill?.title ?? t("instructor.no_drill")}</b>
        {last !== undefined && (
          <span className="truncate muted">
            {t("instructor.last_action", { at: times.clock(msOf(last.at)), text: textOf(last) })}
          </span>
        )}
      </Group>
      <Box component="span" className="num" miw="16rem">
        {t("instructor.alarms_active", { count: activeCount })}
      </Box>
      <Anchor href="/" target="_blank" size="sm">
        {t("instructor.trainee_page")}
      </Anchor>
    </Group>
  );
}
