import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { SandboxReport } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { useCommand, useConnection, useMay, useNowMs, useSession, useStation } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { Columns, HALVES, Panel } from "../../parts/Panel.tsx";
import { Refusal } from "../../parts/Refusal.tsx";
import { DebriefingButton } from "./DebriefingButton.tsx";
import { openHtml, saveText } from "./openHtml.ts";
import { SessionShares } from "./SessionShares.tsx";

/** The report of the session, its export, and the debriefing of a drill. */
export function ReportPage() {
  const { t } = useTexts();
  const drill = useDrill();
  return (
    <Columns template={HALVES}>
      <h1 className="visually-hidden">{t("report.title")}</h1>
      <Stack gap="sm">
        {drill !== null && <DebriefingPanel title={drill.title} endsMs={msOf(drill.ends_at)} />}
        <ReportPanel />
        <ExportPanel />
      </Stack>
      <SessionShares />
    </Columns>
  );
}

function ReportPanel() {
  const { t, language } = useTexts();
  const { calls } = useStation();
  const { has_report } = useSession();
  const mayWrite = useMay("report");
  const isConnected = useConnection() !== "disconnected";
  const { isBusy, refusal, send } = useCommand();
  const [written, setWritten] = useState<SandboxReport | null>(null);
  if (mayWrite && !has_report)
    return (
      <Panel title={t("report.title")}>
        <p>{t("report.no_folder")}</p>
        <p className="muted">{t("report.no_folder_why")}</p>
      </Panel>
    );
  const write = () => void send(async () => setWritten(await calls.post<SandboxReport>("/sandbox/report")));
  const open = () =>
    void send(() => openHtml(() => calls.text("/sandbox/report/latest/report.html"), t("resource.loading")));
  return (
    <Panel title={t("report.title")}>
      <p className="muted">{t("report.lead")}</p>
      {language !== "en" && <p className="muted">{t("report.language")}</p>}
      {!mayWrite && <p>{t("report.not_allowed")}</p>}
      <Group mt="xs">
        <Button variant="filled" disabled={!mayWrite || !isConnected || isBusy} onClick={write}>
          {t(isBusy ? "report.writing" : written === null ? "report.write" : "report.write_again")}
        </Button>
        {written !== null && (
          <Button disabled={isBusy} onClick={open}>
            {t("report.open")}
          </Button>
        )}
      </Group>
      <p role="status">
        {written !== null &&
          `${t("report.written", { folder: written.report })} (${t("report.files", { count: written.files.length })})`}
      </p>
      {refusal !== null && <Refusal mt="xs">{refusal.text}</Refusal>}
    </Panel>
  );
}

function ExportPanel() {
  const { t } = useTexts();
  const { calls } = useStation();
  const { scenario } = useSession();
  const mayExport = useMay("export");
  const isConnected = useConnection() !== "disconnected";
  const { isBusy, refusal, send } = useCommand();
  const [saved, setSaved] = useState<string | null>(null);
  const save = () =>
    void send(async () => {
      const name = `${scenario.name}-session.yaml`;
      saveText(name, await calls.postForText("/sandbox/export"), "application/yaml");
      setSaved(name);
    });
  return (
    <Panel title={t("report.export")}>
      <p className="muted">{t("report.export_lead")}</p>
      {!mayExport && <p>{t("report.export_not_allowed")}</p>}
      <Button mt="xs" disabled={!mayExport || !isConnected || isBusy} onClick={save}>
        {t(isBusy ? "report.exporting" : "report.export")}
      </Button>
      <p role="status">{saved !== null && t("report.exported", { file: saved })}</p>
      {refusal !== null && <Refusal mt="xs">{refusal.text}</Refusal>}
    </Panel>
  );
}

interface DebriefingPanelProps {
  readonly title: string;
  readonly endsMs: number;
}

function DebriefingPanel({ title, endsMs }: DebriefingPanelProps) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const { kind } = useStation();
  return (
    <Panel title={t("report.debriefing")} note={title}>
      {nowMs < endsMs && kind === "trainee" ? (
        <p>{t("report.debriefing_not_yet", { at: times.instant(endsMs, nowMs) })}</p>
      ) : (
        <DebriefingButton />
      )}
    </Panel>
  );
}
