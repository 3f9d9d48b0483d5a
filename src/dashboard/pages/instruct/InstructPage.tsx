import { useTexts } from "../../app/preferences.tsx";

export function InstructPage() {
  const { t } = useTexts();
  return <h1>{t("nav.instruct")}</h1>;
}
