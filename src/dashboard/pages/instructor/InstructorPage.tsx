import { Stack } from "@mantine/core";
import type { VppBalance } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useVppName, VppChoice } from "../../app/vppChoice.tsx";
import { balancePath, useSandbox } from "../../data/hooks.ts";
import { Columns } from "../../parts/Panel.tsx";
import { EventPanel } from "../alarms/EventPanel.tsx";
import { PowerPanel } from "../now/PowerPanel.tsx";
import { ActionsPanel } from "./ActionsPanel.tsx";
import { GradePanel } from "./GradePanel.tsx";
import { InstructorTracks } from "./InstructorTracks.tsx";
import { MalfunctionPanel } from "./MalfunctionPanel.tsx";
import { NotesPanel } from "./NotesPanel.tsx";
import { PreparedPanel } from "./PreparedPanel.tsx";
import { SnapshotPanel } from "./SnapshotPanel.tsx";

/** The instructor's station: snapshots and notes, what is to come, malfunctions, the grade and the trainee's actions. */
export function InstructorPage() {
  const { t } = useTexts();
  const vpp = useVppName();
  const { value: balance } = useSandbox<VppBalance>(balancePath(vpp));
  return (
    <Columns template="var(--snapshots) minmax(0, 1fr) var(--actions)">
      <h1 className="visually-hidden">{t("instructor.title")}</h1>
      <Stack gap="sm">
        <SnapshotPanel />
        <NotesPanel />
      </Stack>
      <Stack gap="sm">
        <MalfunctionPanel />
        <PreparedPanel />
        <VppChoice />
        <PowerPanel vpp={vpp} awards={balance?.awards ?? []} />
        <InstructorTracks />
        <EventPanel />
      </Stack>
      <Stack gap="sm">
        <GradePanel />
        <ActionsPanel />
      </Stack>
    </Columns>
  );
}
