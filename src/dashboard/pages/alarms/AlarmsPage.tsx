import { useTexts } from "../../app/preferences.tsx";

export function AlarmsPage() {
  const { t } = useTexts();
  return <h1>{t("nav.alarms")}</h1>;
}
