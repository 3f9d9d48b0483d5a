import { describe, expect, test } from "vitest";
import { fingerprintOf, IdempotencyStore } from "../../src/api/http/limits/idempotencyStore.ts";
import { RateLimits } from "../../src/api/http/limits/rateLimits.ts";
import { MS_PER_DAY, MS_PER_HOUR } from "../../src/base/time.ts";

const START = Date.UTC(2026, 0, 1);

/** Sends requests at the given seconds and returns which were admitted. */
function passed(limits: RateLimits, seconds: readonly number[]): boolean[] {
  return seconds.map((s) => limits.take("control", "a", START + s * 1000).isAllowed);
}

describe("an hourly rate limit (VPP API, Limits)", () => {
  test("never admits more than the limit in any 60 minutes, checked over all pairs", () => {
    const limits = new RateLimits("vpp", "on");
    // One request each 7 s for 5 hours: 514 an hour, of which 200 may pass.
    const requestTimes = Array.from({ length: 2571 }, (_, k) => 7 * k);
    const through = requestTimes.filter((_, k) => passed(limits, [requestTimes[k]])[0]);
    for (const from of through) {
      expect(through.filter((at) => from <= at && at < from + 3600).length).toBeLessThanOrEqual(200);
    }
    // 200 pass at once in each hour, at its beginning: five full hours and what the first seconds of the sixth let in.
    expect(through.length).toBe(1000);
  });

  test("counts nothing when switched off", () => {
    const limits = new RateLimits("vpp", "off");
    expect(passed(limits, new Array<number>(300).fill(0)).every(Boolean)).toBe(true);
    expect(limits.take("control", "a", START)).toEqual({ isAllowed: true, limit: 200, remaining: 200, resetMs: START });
  });

  test("is restored with a checkpoint, through JSON", () => {
    const limits = new RateLimits("vpp", "on");
    passed(limits, [0, 10, 20]);
    const kept: unknown = JSON.parse(JSON.stringify(limits.save()));
    passed(limits, new Array<number>(197).fill(30));
    expect(limits.take("control", "a", START + 30_000).isAllowed).toBe(false);
    limits.restore(kept);
    expect(limits.peek("control", "a", START + 30_000)).toMatchObject({ remaining: 197, resetMs: START + MS_PER_HOUR });
    limits.restore(undefined);
    expect(limits.peek("control", "a", START)).toMatchObject({ remaining: 200, resetMs: START });
  });
});

describe("an idempotency key (VPP API, Limits)", () => {
  const print = fingerprintOf("postControl", { type: "immediate", delta_kw: 5 });

  test("expires after a day", () => {
    const store = new IdempotencyStore();
    store.storeAnswer("id", "k", print, { status: 200, text: "1" }, START);
    expect(store.lookUp("id", "k", print, START + MS_PER_DAY - 1).result).toBe("replay");
    expect(store.lookUp("id", "k", print, START + MS_PER_DAY).result).toBe("new");
  });

  test("is restored with a checkpoint from the commands of its branch, and is not part of it", () => {
    const store = new IdempotencyStore();
    const request = {
      api: "vpp-v1",
      id: "id",
      method: "POST",
      path: "/control/active_power",
      query: {},
      body: {},
    } as const;
    store.storeAnswer("id", "of a branch that is left", print, { status: 200, text: "{}" }, START);
    expect(store.save()).toBe(undefined);
    const collect = store.collect();
    collect({ atMs: START, request, idempotencyKey: "k", answer: { status: 200, body: { n: 1 } } });
    collect({ atMs: START, request, idempotencyKey: "refused", answer: { status: 400, body: {} } });
    collect({ atMs: START, request, idempotencyKey: null, answer: { status: 200, body: {} } });
    store.restore();
    const stored = fingerprintOf("vpp-v1 controlActivePower", {});
    expect(store.lookUp("id", "k", stored, START)).toMatchObject({ result: "replay", answer: { text: '{"n":1}' } });
    for (const key of ["refused", "of a branch that is left"])
      expect(store.lookUp("id", key, stored, START).result).toBe("new");
    store.restore();
    expect(store.lookUp("id", "k", stored, START).result).toBe("new");
  });
});
