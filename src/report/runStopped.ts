/** The run was stopped by its signal. */
export class RunStopped extends Error {
  override name = "RunStopped";

  constructor(message = "the run was stopped before its end; no report was written") {
    super(message);
  }
}
