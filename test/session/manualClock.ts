import type { WallClock } from "../../src/live/session/wallClock.ts";

/** A real-time clock that tests advance; due calls run on the way. */
export class ManualClock implements WallClock {
  private instantMs = 0;
  private calls: { atMs: number; order: number; call: () => void }[] = [];
  private order = 0;
  /** Added by every read of the clock, to simulate a slow machine. */
  readCostMs = 0;

  nowMs(): number {
    this.instantMs += this.readCostMs;
    return this.instantMs;
  }

  schedule(delayMs: number, call: () => void): () => void {
    const entry = { atMs: this.instantMs + delayMs, order: this.order++, call };
    this.calls.push(entry);
    return () => {
      this.calls = this.calls.filter((other) => other !== entry);
    };
  }

  /** Advances, letting promises settle after each call. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.instantMs + byMs;
    for (;;) {
      const due = this.calls.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs || a.order - b.order);
      if (due.length === 0) break;
      this.calls = this.calls.filter((other) => other !== due[0]);
      this.instantMs = Math.max(this.instantMs, due[0].atMs);
      due[0].call();
      await settlePromises();
    }
    this.instantMs = Math.max(this.instantMs, untilMs);
    await settlePromises();
  }

  /** Runs due calls until none is due at the present instant. */
  async runDue(): Promise<void> {
    await this.advance(0);
  }
}

export const settlePromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
