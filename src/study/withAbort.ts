/**
 * What some work gives. When the signal comes, its reason is thrown at once, and the work is left to itself.
 *
 * @throws what the work throws, or the reason of the signal
 */
export async function withAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const over = new AbortController();
  const stopped = new Promise<never>((_, fail) => {
    if (signal.aborted) fail(signal.reason);
    signal.addEventListener("abort", () => fail(signal.reason), { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    over.abort();
  }
}
