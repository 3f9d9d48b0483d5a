import { useTexts } from "../../dashboard/app/preferences.tsx";
import { VERSION } from "../../version.ts";
import { usePlaygroundState } from "./hooks.ts";

/** What was refused, the version, and where the scenario stays. */
export function Footer() {
  const { t } = useTexts();
  const { notice } = usePlaygroundState();
  return (
    <footer className="foot">
      <span className="notice" data-testid="notice" role="alert">
        {notice !== null && ("words" in notice ? notice.words : t(notice.key, notice.values))}
      </span>
      <span>{t("playground.same_bytes", { version: VERSION })}</span>
      <span className="end">{t("playground.local")}</span>
    </footer>
  );
}
