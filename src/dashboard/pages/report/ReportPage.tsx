import { useTexts } from "../../app/preferences.tsx";

export function ReportPage() {
  const { t } = useTexts();
  return <h1>{t("nav.report")}</h1>;
}
