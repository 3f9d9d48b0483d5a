import { Modal } from "@mantine/core";
import type { VppBalance } from "../../../client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useShortcut } from "../../app/Shortcuts.tsx";
import { useVppName } from "../../app/vppChoice.tsx";
import { useEvents, useSandbox } from "../../data/hooks.ts";
import { StoryDialog } from "../now/StoryDialog.tsx";
import { balancePath } from "./alarmDesk.ts";

/** In the address where there is no award to tell of. */
const NO_AWARD = "-";

/** The story of the award that the address names. `W` opens that of the award in force, or of the last one. */
export function StoryOfAddress() {
  const { t } = useTexts();
  const [awardId, open] = useQueryState("story", "");
  const { value: balance } = useSandbox<VppBalance>(balancePath(useVppName()));
  const events = useEvents();
  useShortcut("w", () => {
    const inForce = balance?.awards[0]?.award_id;
    open(inForce ?? events.findLast(({ award_id }) => award_id !== null)?.award_id ?? NO_AWARD);
  });
  if (awardId === "") return null;
  if (awardId !== NO_AWARD) return <StoryDialog awardId={awardId} onClose={() => open(null)} />;
  return (
    <Modal opened onClose={() => open(null)} title={t("alarms.why")}>
      <p>{t("story.none")}</p>
    </Modal>
  );
}
