/** The run was stopped by its signal. */
export class RunStopped extends Error {
  override name = "RunStopped";
}
