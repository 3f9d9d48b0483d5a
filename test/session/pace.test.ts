import { describe, expect, test } from "vitest";
import { isSpeed, Pace } from "../../src/live/session/pace.ts";
import type { Session } from "../../src/live/session/session.ts";
import { ManualClock } from "./manualClock.ts";
import { openTinySession } from "./openTinySession.ts";
import { END_MS, START_MS } from "./tinyScenario.ts";

describe("a pace", () => {
  test.each([
    [0.1, 10_000, 1_000],
    [1, 1_234.9, 1_234],
    [60, 1_000, 60_000],
    [100_000, 10, 1_000_000],
    ["max", 1, Number.POSITIVE_INFINITY],
  ] as const)("of %s reaches in %s real ms %s simulated ms", (speed, wallMs, targetMs) => {
    expect(new Pace(speed, 0, 0).targetMs(wallMs)).toBe(targetMs);
  });

  test("reports the lag of the world, and its speed over the last two seconds", () => {
    const pace = new Pace(60, 0, 0);
    // Half the speed for four seconds: 30 simulated seconds a second.
    for (let wallMs = 100; wallMs <= 4_000; wallMs += 100) pace.recordReached(30 * wallMs, wallMs);
    expect(pace.lagSeconds(120_000, 4_000)).toBe(120);
    expect(pace.achievedSpeed(120_000, 4_000)).toBe(30);
    // Then a standstill of a second: half of the window at 30, half at 0.
    pace.recordReached(120_000, 5_000);
    expect(pace.achievedSpeed(120_000, 5_000)).toBeCloseTo(15, 0);
  });

  test.each([
    [0.1, true],
    [0.09, false],
    [100_000, true],
    [100_001, false],
    ["max", true],
    ["fast", false],
    [Number.NaN, false],
    [null, false],
  ])("accepts the speed %s: %s", (speed, taken) => expect(isSpeed(speed)).toBe(taken));
});

describe("a session's clock", () => {
  test("follows real time at its speed, to the millisecond of the read", async () => {
    const wall = new ManualClock();
    const session = await openTinySession({ wallClock: wall });
    const resumed = session.resume(60);
    await resumed;
    await wall.advance(1_000);
    expect(session.nowMs - START_MS).toBe(60_000);
    await wall.advance(3);
    // The last update was 3 ms ago, but a request is answered at the instant of the request.
    expect(session.nowMs - START_MS).toBe(60_180);
    await session.pause();
    await wall.advance(10_000);
    expect(session.nowMs - START_MS).toBe(60_180);
    expect(session.clock()).toMatchObject({ mode: "paused", speed: 60, achieved_speed: 0, lag_seconds: 0 });
    await session.close();
  });

  test("continues at another speed from its instant", async () => {
    const wall = new ManualClock();
    const session = await openTinySession({ wallClock: wall });
    await session.resume(10);
    await wall.advance(2_000);
    await session.resume(0.5);
    await wall.advance(2_000);
    expect(session.nowMs - START_MS).toBe(21_000);
    await session.close();
  });

  test.each([100_000, "max"] as const)("at %s stops at the scenario's end, held", async (speed) => {
    const wall = new ManualClock();
    const session = await openTinySession({ wallClock: wall });
    await session.resume(speed);
    await wall.advance(60_000);
    expect(session.clock()).toMatchObject({ now: "2026-04-01T06:00:00Z", mode: "paused", lag_seconds: 0 });
    expect(session.nowMs).toBe(END_MS);
    await session.resume(1);
    expect(session.clock().mode).toBe("paused");
    await session.close();
  });

  test("reports its lag when the machine is slow", async () => {
    const wall = new ManualClock();
    const session = await openTinySession({ wallClock: wall });
    await session.resume(1_000);
    wall.readCostMs = 4;
    await wall.advance(40);
    const { lag_seconds, achieved_speed } = session.clock();
    expect(lag_seconds).toBeGreaterThan(1);
    expect(achieved_speed).toBeLessThan(1_000);
    wall.readCostMs = 0;
    await session.close();
  });
});

describe("an advance", () => {
  test("is refused while the clock runs", async () => {
    const session = await openTinySession({ wallClock: new ManualClock() });
    await session.resume(1);
    await expect(session.advance((nowMs) => nowMs + 1_000)).rejects.toMatchObject({ status: 409 });
    await session.close();
  });

  test("runs in slices: reads see the instant reached, commands wait for the target", async () => {
    const wall = new ManualClock();
    const session = await openTinySession({ wallClock: wall });
    // Every read of the clock takes 4 ms: a slice ends after two pieces.
    wall.readCostMs = 4;
    const order: string[] = [];
    const advanced = session.advance(() => END_MS).then(({ now }) => order.push(`advanced ${now}`));
    const fault = session.beginFault({ kind: "warning", site: "plant", durationMs: null }).then((record) => {
      order.push(`fault ${record.starts_at}`);
    });
    const second = session.advance((nowMs) => nowMs).then(() => order.push("second"));
    wall.readCostMs = 0;
    const seen = session.nowMs;
    expect(START_MS < seen && seen < END_MS).toBe(true);
    await wall.advance(100_000);
    await Promise.all([advanced, fault, second]);
    // Both are answered when the same write is on disk.
    expect(order.slice(0, 2).sort()).toEqual(["advanced 2026-04-01T06:00:00Z", "fault 2026-04-01T06:00:00Z"]);
    expect(order[2]).toBe("second");
    await session.close();
  });
});

describe("a cancelled advance", () => {
  test("ends where it is, as do those behind it; commands are accepted", async () => {
    const wall = new ManualClock();
    const session = await openTinySession({ wallClock: wall });
    // Each read takes as long as a slice, so that a slice is one piece.
    wall.readCostMs = 10;
    const refusal = {
      status: 503,
      message: expect.stringContaining("The server is ending; the clock was stopped at 20"),
    };
    const advanced = expect(session.advance(() => END_MS)).rejects.toMatchObject(refusal);
    const behind = expect(session.advance((nowMs) => nowMs + 1_000)).rejects.toMatchObject(refusal);
    const begun = session.beginFault({ kind: "warning", site: "battery-1", durationMs: null });
    await wall.runDue();
    session.cancel();
    wall.readCostMs = 0;
    await wall.runDue();
    await Promise.all([advanced, behind]);
    const { starts_at } = await begun;
    expect(session.nowMs).toBeGreaterThan(START_MS);
    expect(session.nowMs).toBeLessThan(END_MS);
    expect(Date.parse(starts_at)).toBe(Math.floor(session.nowMs / 1_000) * 1_000);
  });
});

describe("a listener", () => {
  /** Records all notifications, and reads the session during each. */
  function listen(session: Session, everyMs: number) {
    const notifications: string[] = [];
    const note = (what: string) => notifications.push(`${what} ${session.nowMs - START_MS}`);
    session.addListener({
      observer: {
        onRunEvent: (kind, subject) => notifications.push(`${kind} ${subject}`),
      },
      nextTickMs: (afterMs) => (Math.floor(afterMs / everyMs) + 1) * everyMs,
      onSettled: () => note("settled"),
      onClock: ({ mode }) => note(mode),
      onFault: ({ fault_id }) => note(fault_id),
      onRewound: () => note("rewound"),
      onRevoked: ({ kind }) => note(`revoked ${kind}`),
    });
    return notifications;
  }

  test("is notified at its instants at any speed", async () => {
    const wall = new ManualClock();
    const session = await openTinySession({ wallClock: wall });
    const notifications = listen(session, 60_000);
    await session.resume(100_000);
    wall.readCostMs = 0.01;
    await wall.advance(30);
    await session.pause();
    const settled = notifications
      .filter((line) => line.startsWith("settled"))
      .map((line) => Number(line.split(" ")[1]));
    // 100 simulated seconds per real millisecond: 50 whole minutes in 30 ms.
    const minutes = settled.filter((atMs) => atMs % 60_000 === 0).map((atMs) => atMs / 60_000);
    expect(minutes.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, k) => k + 1));
    await session.close();
  });

  test("receives facts, commands and the clock, in their order", async () => {
    const session = await openTinySession({ wallClock: new ManualClock() });
    const notifications = listen(session, 3_600_000);
    await session.beginFault({ kind: "warning", site: "plant", durationMs: 1_000 });
    const advanced = session.advance((nowMs) => nowMs + 2_000);
    await advanced;
    await session.endFault((await session.beginFault({ kind: "outage", site: "plant", durationMs: null })).fault_id);
    await session.reset();
    expect(notifications).toEqual([
      "warning plant",
      "settled 0",
      "fault-1 0",
      "warning plant",
      "settled 2000",
      "paused 2000",
      "outage_start plant",
      "settled 2000",
      "fault-2 2000",
      "outage_end plant",
      "settled 2000",
      "fault-2 2000",
      "paused 0",
      "rewound 0",
    ]);
    await session.close();
  });
});
