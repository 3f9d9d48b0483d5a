/** The machine's own time: the only thing of a session that is not simulated. Tests give one that they move by hand. */
export interface WallClock {
  /** Milliseconds since some instant, never going back. */
  nowMs(): number;
  /** Calls once after a while; at the next turn of the event loop where the while is 0. @returns how to call it off */
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
