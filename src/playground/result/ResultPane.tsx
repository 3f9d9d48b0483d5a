import { Button } from "@mantine/core";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";
import type { ResultView } from "../app/playground.ts";
import { download } from "../app/share.ts";
import { WhatIf } from "../whatIf/WhatIf.tsx";
import { FilesView } from "./FilesView.tsx";
import { PageFrame } from "./PageFrame.tsx";

/** What a run gave, and what another scenario would give. */
export function ResultPane() {
  const { t } = useTexts();
  const playground = usePlayground();
  const { view, result, kept } = usePlaygroundState();
  const button = (each: ResultView) => ({ "aria-pressed": view === each, onClick: () => playground.setView(each) });
  const report = result?.files["report.html"];
  return (
    <section className="result" aria-label={t("playground.result")}>
      <header className="line">
        <Button {...button("whatIf")}>{t("playground.what_if")}</Button>
        <Button {...button("report")}>{t("playground.report")}</Button>
        <Button
          data-testid="compare"
          aria-pressed={view === "compare"}
          disabled={kept === null || result === null}
          onClick={() => void playground.compare()}
        >
          {t("playground.compare")}
        </Button>
        <Button {...button("files")}>{t("playground.files")}</Button>
        <Button className="end" data-testid="keep" disabled={result === null} onClick={() => playground.keep()}>
          {t("playground.keep")}
        </Button>
        <Button
          data-testid="download-report"
          disabled={report === undefined}
          onClick={() => report !== undefined && download("report.html", report)}
        >
          {t("playground.download_report")}
        </Button>
      </header>
      <Stale />
      <Shown />
    </section>
  );
}

/** Says that the shown result is of another scenario than the one in the editor. */
function Stale() {
  const { t } = useTexts();
  const { view, ran, project } = usePlaygroundState();
  const isStale = (view === "report" || view === "compare") && ran !== null && ran !== project;
  return (
    <p className="stale" role="status" data-testid="stale">
      {isStale && t("playground.stale")}
    </p>
  );
}

function Shown() {
  const { t } = useTexts();
  const { view, result, comparison, project } = usePlaygroundState();
  const report = result?.files["report.html"];
  if (view === "whatIf") return <WhatIf project={project} />;
  if (view === "files") return <FilesView />;
  if (view === "compare" && comparison !== null)
    return <PageFrame testId="comparison" title={t("playground.compare")} page={comparison} />;
  if (report === undefined) return <p className="empty muted">{t("playground.no_report")}</p>;
  return <PageFrame testId="report-frame" title={t("playground.report")} page={report} />;
}
