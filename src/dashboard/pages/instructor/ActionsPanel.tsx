import { Box } from "@mantine/core";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel, TimedRow } from "../../parts/Panel.tsx";
import { useActionText } from "./useActionText.ts";
import { useTraineeActions } from "./useTraineeActions.ts";

const SHOWN = 50;

/** What the trainee does, newest first. */
export function ActionsPanel() {
  const { t } = useTexts();
  const times = useTimes();
  const textOf = useActionText();
  const actions = useTraineeActions().slice(-SHOWN).reverse();
  return (
    <Panel title={t("instructor.actions")} note={t("instructor.actions_live")}>
      {actions.length === 0 && <EmptyState>{t("instructor.no_actions")}</EmptyState>}
      <Box component="ol" mah="24rem" style={{ overflowY: "auto" }} aria-live="polite">
        {actions.map((action) => (
          <TimedRow key={action.seq}>
            <time dateTime={action.at}>{times.clock(msOf(action.at))}</time>
            {action.abandoned ? (
              <span className="muted">
                <s>{textOf(action)}</s> ({t("instructor.abandoned")})
              </span>
            ) : (
              <span>{textOf(action)}</span>
            )}
          </TimedRow>
        ))}
      </Box>
    </Panel>
  );
}
