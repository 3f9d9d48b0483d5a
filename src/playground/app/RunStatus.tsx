import { type Texts, useTexts } from "../../dashboard/app/preferences.tsx";
import { usePlaygroundState } from "./hooks.ts";
import type { RunState } from "./playground.ts";

/** What the run does, in words, and a bar while it lasts. */
export function RunStatus() {
  const { t } = useTexts();
  const { run } = usePlaygroundState();
  const percent = run.kind === "running" ? Math.floor(100 * run.done) : null;
  return (
    <>
      <p className="state" role="status" data-testid="status" data-state={run.kind}>
        {statusText(run, t)}
      </p>
      {percent !== null && (
        <div
          className="progress"
          data-testid="progress"
          role="progressbar"
          aria-label={t("playground.progress")}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <div style={{ width: `${percent}%` }} />
        </div>
      )}
    </>
  );
}

/** Below this part of a run, the time that it takes is a guess. */
const ESTIMATED_FROM = 0.05;

function statusText(run: RunState, t: Texts["t"]): string {
  if (run.kind === "done") return t("playground.state.done", { seconds: run.seconds.toFixed(1), count: run.fileCount });
  if (run.kind !== "running") return t(`playground.state.${run.kind}`);
  const percent = Math.floor(100 * run.done);
  const seconds = ((performance.now() - run.startedMs) * (1 - run.done)) / run.done / 1000;
  return run.done < ESTIMATED_FROM || seconds < 1
    ? t("playground.state.running", { percent })
    : t("playground.state.running_left", { percent, seconds: Math.ceil(seconds) });
}
