/**
 * Result of a promise. On the signal it rejects at once with the signal's reason; the work itself is not stopped.
 *
 * @throws the error of the work, or the reason of the signal
 */
export async function withAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const cleanup = new AbortController();
  const aborted = new Promise<never>((_, fail) => {
    if (signal.aborted) fail(signal.reason);
    signal.addEventListener("abort", () => fail(signal.reason), { once: true, signal: cleanup.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    cleanup.abort();
  }
}
