import { Button } from "@mantine/core";
import { usePreferences, useTexts } from "./preferences.tsx";

/** Changes to the other language. */
export function LanguageSwitch() {
  const { t } = useTexts();
  const { language, setLanguage } = usePreferences();
  return (
    <Button
      aria-label={t("language.label")}
      lang={language === "en" ? "ja" : "en"}
      onClick={() => setLanguage(language === "en" ? "ja" : "en")}
    >
      {t("language.other")}
    </Button>
  );
}
