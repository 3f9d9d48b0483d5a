import { useTexts } from "../../app/preferences.tsx";
import { EventPanel } from "../alarms/EventPanel.tsx";
import { ActionsPanel } from "./ActionsPanel.tsx";
import { GradePanel } from "./GradePanel.tsx";
import { InstructorLanes } from "./InstructorLanes.tsx";
import { MalfunctionPanel } from "./MalfunctionPanel.tsx";
import { NotesPanel } from "./NotesPanel.tsx";
import { SnapshotPanel } from "./SnapshotPanel.tsx";

/** The instructor's station: snapshots and notes, what is to come, malfunctions, the grade and the trainee's actions. */
export function InstructorPage() {
  const { t } = useTexts();
  return (
    <div className="instructor-columns">
      <h1 className="visually-hidden">{t("instructor.title")}</h1>
      <div className="stack">
        <SnapshotPanel />
        <NotesPanel />
      </div>
      <div className="stack">
        <InstructorLanes />
        <MalfunctionPanel />
        <EventPanel />
      </div>
      <div className="stack">
        <GradePanel />
        <ActionsPanel />
      </div>
    </div>
  );
}
