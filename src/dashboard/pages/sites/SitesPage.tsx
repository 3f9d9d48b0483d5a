import { useTexts } from "../../app/preferences.tsx";

export function SitesPage() {
  const { t } = useTexts();
  return <h1>{t("nav.sites")}</h1>;
}
