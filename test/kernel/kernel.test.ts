import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BugError } from "../../src/base/assert.ts";
import { type EventHandler, Kernel } from "../../src/engine/kernel/kernel.ts";
import { runs, seedOr } from "../depth.ts";

/** Writes down every call; `react` may schedule more. An instant's end is written as "<nowMs>|". */
class Log implements EventHandler {
  readonly lines: string[] = [];
  readonly kernel: Kernel;
  private readonly react: (kernel: Kernel, kind: number, subject: number) => void;
  private readonly settle: (kernel: Kernel) => void;

  constructor(
    kernel: Kernel,
    react: (kernel: Kernel, kind: number, subject: number) => void = () => {},
    settle: (kernel: Kernel) => void = () => {},
  ) {
    this.kernel = kernel;
    this.react = react;
    this.settle = settle;
  }

  handleEvent(kind: number, subject: number): void {
    this.lines.push(`${this.kernel.nowMs}:${kind}`);
    this.react(this.kernel, kind, subject);
  }

  handleInstantEnd(): void {
    this.lines.push(`${this.kernel.nowMs}|`);
    this.settle(this.kernel);
  }
}

describe("a run", () => {
  test("handles the events due until an instant, and leaves the clock there", () => {
    const kernel = new Kernel(0);
    for (const atMs of [0, 10, 10, 20, 21]) kernel.schedule(atMs, 0, atMs, 0);
    const log = new Log(kernel);
    kernel.runThrough(20, log);
    expect(log.lines).toEqual(["0:0", "0|", "10:10", "10:10", "10|", "20:20", "20|"]);
    expect([kernel.nowMs, kernel.nextMs, kernel.pendingCount, kernel.eventCount]).toEqual([20, 21, 1, 4]);
  });

  test("before an instant leaves its events pending", () => {
    const kernel = new Kernel(0);
    for (const atMs of [10, 20]) kernel.schedule(atMs, 0, atMs, 0);
    const log = new Log(kernel);
    kernel.runBefore(20, log);
    expect(log.lines).toEqual(["10:10", "10|"]);
    expect([kernel.nowMs, kernel.pendingCount]).toEqual([20, 1]);
    kernel.runBefore(20, log);
    expect(log.lines).toHaveLength(2);
    kernel.runThrough(20, log);
    expect(log.lines.slice(2)).toEqual(["20:20", "20|"]);
  });

  test("without events moves the clock and ends no instant", () => {
    const kernel = new Kernel(5);
    const log = new Log(kernel);
    kernel.runThrough(50, log);
    expect([kernel.nowMs, log.lines]).toEqual([50, []]);
  });

  test("takes events scheduled at the instant where it stopped as a further instant", () => {
    const kernel = new Kernel(0);
    kernel.schedule(10, 0, 1, 0);
    const log = new Log(kernel);
    kernel.runThrough(10, log);
    kernel.schedule(10, 0, 2, 0);
    kernel.runThrough(10, log);
    expect(log.lines).toEqual(["10:1", "10|", "10:2", "10|"]);
  });
});

describe("at one instant", () => {
  test("a new event whose rank is past runs next, another one in its place", () => {
    const kernel = new Kernel(0);
    const log = new Log(kernel, (_kernel, kind) => {
      if (kind !== 5) return;
      kernel.schedule(0, 1, 1, 0);
      kernel.schedule(0, 8, 8, 0);
    });
    for (const rank of [4, 5, 7, 9]) kernel.schedule(0, rank, rank, 0);
    kernel.runThrough(0, log);
    expect(log.lines).toEqual(["0:4", "0:5", "0:1", "0:7", "0:8", "0:9", "0|"]);
  });

  test("its end may schedule more, and is then called again", () => {
    const kernel = new Kernel(0);
    let left = 2;
    const log = new Log(
      kernel,
      () => {},
      () => {
        if (left-- > 0) kernel.schedule(kernel.nowMs, 0, 7, 0);
      },
    );
    kernel.schedule(3, 0, 1, 0);
    kernel.runThrough(4, log);
    expect(log.lines).toEqual(["3:1", "3|", "3:7", "3|", "3:7", "3|"]);
  });

  test.each([
    ["events", true],
    ["ends of the instant", false],
  ])("endless %s are stopped, naming the kind", (_name, byEvents) => {
    const kernel = new Kernel(0);
    const again = () => kernel.schedule(kernel.nowMs, 3, 42, 0);
    const nothing = () => {};
    const handler = byEvents
      ? { handleEvent: again, handleInstantEnd: nothing }
      : { handleEvent: nothing, handleInstantEnd: again };
    kernel.schedule(60, 3, 42, 0);
    expect(() => kernel.runThrough(100, handler)).toThrow(/at most 1000000 events.*\(60\).*last kind was 42/);
  });
});

/** A world whose events breed others, at the same instant and later: deterministic by its subjects. */
function breed(kernel: Kernel, kind: number, subject: number): void {
  if (subject > 4000) return;
  kernel.schedule(kernel.nowMs + ((subject * 7) % 5), (subject * 3) % 32, (kind + 1) % 100, subject * 2 + 1);
  kernel.schedule(kernel.nowMs + (subject % 11), subject % 32, 99, subject + 5000);
}

function seeded(): Kernel {
  const kernel = new Kernel(0);
  for (let i = 0; i < 40; i++) kernel.schedule(i % 6, i % 4, i, i);
  return kernel;
}

test("a run in parts makes the same calls as one run", () => {
  const whole = new Log(seeded(), breed);
  whole.kernel.runThrough(100, whole);
  expect(whole.lines.length).toBeGreaterThan(300);
  const stops = fc.array(fc.record({ atMs: fc.nat(100), through: fc.boolean() }), { maxLength: 12 });
  fc.assert(
    fc.property(stops, (unordered) => {
      const log = new Log(seeded(), breed);
      for (const { atMs, through } of unordered.toSorted((a, b) => a.atMs - b.atMs)) {
        if (through) log.kernel.runThrough(atMs, log);
        else log.kernel.runBefore(atMs, log);
      }
      log.kernel.runThrough(100, log);
      expect(log.lines).toEqual(whole.lines);
      expect([log.kernel.pendingCount, log.kernel.eventCount]).toEqual([
        whole.kernel.pendingCount,
        whole.kernel.eventCount,
      ]);
    }),
    { seed: seedOr(128), numRuns: runs(100, 100) },
  );
});

describe("refused as a bug", () => {
  const idle: EventHandler = { handleEvent() {}, handleInstantEnd() {} };
  test.each<[string, (kernel: Kernel) => void, RegExp]>([
    ["an event in the past", (kernel) => kernel.schedule(99, 0, 3, 0), /kind 3 .* from 100 on; found 99/],
    ["an event between milliseconds", (kernel) => kernel.schedule(100.5, 0, 3, 0), /whole millisecond .* found 100\.5/],
    ["an event at no time", (kernel) => kernel.schedule(Number.NaN, 0, 3, 0), /found NaN/],
    ["a run back in time", (kernel) => kernel.runThrough(99, idle), /time never goes back: now 100/],
    ["an endless run", (kernel) => kernel.runBefore(Number.POSITIVE_INFINITY, idle), /found Infinity/],
    ["a run inside a run", runInside((kernel) => kernel.runThrough(200, idle)), /must not run the kernel/],
  ])("%s", (_name, act, message) => {
    const kernel = new Kernel(100);
    expect(() => act(kernel)).toThrow(BugError);
    expect(() => act(new Kernel(100))).toThrow(message);
  });
});

function runInside(act: (kernel: Kernel) => void): (kernel: Kernel) => void {
  return (kernel) => {
    kernel.schedule(100, 0, 0, 0);
    kernel.runThrough(100, { handleEvent: () => act(kernel), handleInstantEnd() {} });
  };
}
