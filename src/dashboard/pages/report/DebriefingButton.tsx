import { Anchor, Button, Progress } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../app/preferences.tsx";
import { useConnection, useSandbox, useStation } from "../../data/hooks.ts";
import { useCommand } from "../../data/useCommand.ts";
import { Refusal } from "../../parts/Refusal.tsx";
import { htmlUrl } from "./openHtml.ts";

/** Computes the debriefing of the drill, and opens it in a tab of its own. */
export function DebriefingButton() {
  const { t, language } = useTexts();
  const { calls } = useStation();
  const isConnected = useConnection() !== "disconnected";
  const { isBusy, refusal, send } = useCommand();
  const [url, setUrl] = useState<string | null>(null);
  const open = () =>
    void send(async () => {
      if (url !== null) URL.revokeObjectURL(url);
      setUrl(null);
      const ready = htmlUrl(await calls.text(`/sandbox/debriefing?lang=${language}`));
      setUrl(ready);
      // A browser may refuse a tab so long after the click: then the link below opens it.
      window.open(ready, "_blank");
    });
  return (
    <>
      <Button mt="xs" disabled={!isConnected || isBusy} onClick={open}>
        {t(isBusy ? "report.debriefing_computing" : "report.debriefing_open")}
      </Button>
      <div role="status">
        {isBusy && <GradeProgress />}
        {url !== null && (
          <p>
            {t("report.debriefing_ready")}{" "}
            <Anchor href={url} target="_blank" size="sm">
              {t("report.debriefing_show")}
            </Anchor>
          </p>
        )}
      </div>
      {refusal !== null && <Refusal mt="xs">{t("report.debriefing_failed", { details: refusal.text })}</Refusal>}
    </>
  );
}

/** Answer of `GET /sandbox/grade/progress`. */
interface GradeRuns {
  readonly is_computing: boolean;
  readonly runs_done: number;
  readonly runs_expected: number;
}

/** Real ms between two reads. */
const PERIOD_MS = 500;

/** Runs of the drill that are done, of those that the grade takes. */
function GradeProgress() {
  const { t } = useTexts();
  const { value } = useSandbox<GradeRuns>("/sandbox/grade/progress", PERIOD_MS);
  const expected = value?.is_computing === true ? value.runs_expected : 0;
  const done = Math.min(value?.runs_done ?? 0, expected);
  const text = expected === 0 ? t("report.debriefing_begins") : t("report.debriefing_runs", { done, expected });
  return (
    <>
      <p>{text}</p>
      <Progress value={expected === 0 ? 0 : (100 * done) / expected} aria-label={text} color="var(--requested)" />
    </>
  );
}
