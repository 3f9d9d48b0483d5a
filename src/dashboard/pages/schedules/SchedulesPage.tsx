import { useTexts } from "../../app/preferences.tsx";

export function SchedulesPage() {
  const { t } = useTexts();
  return <h1>{t("nav.schedules")}</h1>;
}
