/** Progress of a run on standard error. */
export interface Progress {
  readonly setFraction: (done: number) => void;
  /** May be called twice. */
  readonly close: () => void;
}

const NO_PROGRESS: Progress = { setFraction: () => {}, close: () => {} };

/** A progress bar if standard error is a terminal, otherwise nothing. */
export async function openProgress(name: string, quiet: boolean, eta = ""): Promise<Progress> {
  if (quiet || process.stderr.isTTY !== true) return NO_PROGRESS;
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar({
    format: `${name} {bar} {percentage} %${eta}`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(100, 0);
  return {
    setFraction: (done) => bar.update(Math.floor(100 * done)),
    close: () => bar.stop(),
  };
}
