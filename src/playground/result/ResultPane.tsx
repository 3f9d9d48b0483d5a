import { Button } from "@mantine/core";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";
import { WhatIf } from "../whatIf/WhatIf.tsx";
import { PageFrame } from "./PageFrame.tsx";

/** What a run gave, and what another scenario would give. */
export function ResultPane() {
  const { t } = useTexts();
  const playground = usePlayground();
  const { view, result, project } = usePlaygroundState();
  return (
    <section className="result" aria-label={t("playground.result")}>
      <header className="line">
        <Button aria-pressed={view === "whatIf"} onClick={() => playground.setView("whatIf")}>
          {t("playground.what_if")}
        </Button>
        <Button aria-pressed={view === "report"} onClick={() => playground.setView("report")}>
          {t("playground.report")}
        </Button>
      </header>
      {view === "whatIf" && <WhatIf project={project} />}
      {view === "report" && result === null && <p className="empty muted">{t("playground.no_report")}</p>}
      {view === "report" && result !== null && (
        <PageFrame testId="report-frame" title={t("playground.report")} page={result.files["report.html"]} />
      )}
    </section>
  );
}
