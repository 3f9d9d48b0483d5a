import { formatDuration } from "../report/html/page/format.ts";

/** Progress of a run on standard error. */
export interface Progress {
  readonly setFraction: (done: number) => void;
  /** May be called twice. */
  readonly close: () => void;
}

/** For `--quiet` and `--json`. */
export const NO_PROGRESS: Progress = { setFraction: () => {}, close: () => {} };

/** A progress bar if standard error is a terminal, otherwise nothing. */
export async function openProgress(name: string): Promise<Progress> {
  if (process.stderr.isTTY !== true) return NO_PROGRESS;
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar({
    format: `${name} {bar} {percentage} %{remaining}`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  const startMs = performance.now();
  bar.start(100, 0, { remaining: "" });
  return {
    setFraction: (done) =>
      bar.update(Math.floor(100 * done), { remaining: remainingText(done, performance.now() - startMs) }),
    close: () => bar.stop(),
  };
}

/** Shorter times do not predict the rest. */
const ELAPSED_MIN_MS = 2_000;

/** ` · 1 min 30 s left`; empty until the remaining time can be estimated. */
export const remainingText = (done: number, elapsedMs: number): string =>
  done <= 0 || 1 <= done || elapsedMs < ELAPSED_MIN_MS
    ? ""
    : ` · ${formatDuration((elapsedMs * (1 - done)) / done).replaceAll("\u00a0", " ")} left`;
