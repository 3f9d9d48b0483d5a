import { useTexts } from "../../app/preferences.tsx";
import { EventPanel } from "../alarms/EventPanel.tsx";

/** The instructor's station. */
export function InstructorPage() {
  const { t } = useTexts();
  return (
    <div className="page-columns">
      <h1 className="visually-hidden">{t("instructor.title")}</h1>
      <EventPanel />
    </div>
  );
}
