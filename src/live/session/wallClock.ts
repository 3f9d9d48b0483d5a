/** Real time, the only part of a session that is not simulated. Tests supply a clock that they set. */
export interface WallClock {
  /** Milliseconds since an arbitrary instant; monotonic. */
  nowMs(): number;
  /** Calls once after a delay, with 0 in the next turn of the event loop. @returns a function that cancels the call */
  schedule(delayMs: number, call: () => void): () => void;
}

export const systemClock: WallClock = {
  nowMs: () => performance.now(),
  schedule(delayMs, call) {
    if (delayMs <= 0) {
      const immediate = setImmediate(call);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};
