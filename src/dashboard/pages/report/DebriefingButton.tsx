import { Button, Progress } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { useCommand, useConnection, useSandbox, useStation } from "../../data/hooks.ts";
import { Refusal } from "../../parts/Refusal.tsx";
import { openHtml } from "./openHtml.ts";

/** Computes the debriefing of the drill, and opens it in a tab of its own. */
export function useDebriefing() {
  const { t, language } = useTexts();
  const { calls } = useStation();
  const isConnected = useConnection() !== "disconnected";
  const { isBusy, refusal, send } = useCommand();
  const open = () =>
    void send(() =>
      openHtml(() => calls.text(`/sandbox/debriefing?lang=${language}`), t("report.debriefing_computing")),
    );
  const failure = refusal === null ? null : t("report.debriefing_failed", { details: refusal.text });
  return { isBusy, isDisabled: !isConnected || isBusy, failure, open };
}

export function DebriefingButton() {
  const { t } = useTexts();
  const { isBusy, isDisabled, failure, open } = useDebriefing();
  return (
    <>
      <Button mt="xs" disabled={isDisabled} onClick={open}>
        {t(isBusy ? "report.debriefing_computing" : "report.debriefing_open")}
      </Button>
      <div role="status">{isBusy && <GradeProgress />}</div>
      {failure !== null && <Refusal mt="xs">{failure}</Refusal>}
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
