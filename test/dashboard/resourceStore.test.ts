import { describe, expect, test } from "vitest";
import { ResourceStore } from "../../src/dashboard/data/resourceStore.ts";
import { turns } from "../turns.ts";

/** A store by a clock that the test moves. Each load is counted and answers with its count. */
function makeStore() {
  const clock = { nowMs: 0, isVisible: true };
  const store = new ResourceStore({ nowMs: () => clock.nowMs, isVisible: () => clock.isVisible });
  const loads: string[] = [];
  const load = (key: string) => async () => {
    loads.push(key);
    return loads.length;
  };
  /** Lets real time pass in steps of 125 ms, as the page's timer does. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 125) {
      clock.nowMs += 125;
      store.tick();
      await turns(2);
    }
  };
  return { clock, store, loads, load, pass };
}

const nothing = () => {};

describe("the store of reads", () => {
  test("reads at intervals while it has subscribers, and keeps the value after that", async () => {
    const { store, loads, load, pass } = makeStore();
    const stop = store.subscribe("a", load("a"), 1_000, nothing);
    await pass(4_000);
    expect(loads).toHaveLength(5);
    stop();
    await pass(4_000);
    expect(loads).toHaveLength(5);
    expect(store.snapshot("a")).toMatchObject({ value: 5, error: null });
  });

  test("never sends more than ten requests a second, and reads each resource in its turn", async () => {
    const { store, loads, load, pass } = makeStore();
    for (let k = 0; k < 40; k++) store.subscribe(`r${k}`, load(`r${k}`), 250, nothing);
    for (let second = 0; second < 10; second++) {
      const before = loads.length;
      await pass(1_000);
      expect(loads.length - before).toBeLessThanOrEqual(10);
    }
    expect(new Set(loads).size).toBe(40);
  });

  test("has at most three requests in flight, and one of a resource", async () => {
    const { store, pass } = makeStore();
    let inFlight = 0;
    const never = () => {
      inFlight++;
      return new Promise<never>(() => {});
    };
    for (const key of ["a", "b", "c", "d", "e"]) store.subscribe(key, never, 250, nothing);
    await pass(5_000);
    expect(inFlight).toBe(3);
  });

  test("reads rarely while frozen or hidden, and at once after a change", async () => {
    const { clock, store, loads, load, pass } = makeStore();
    store.subscribe("a", load("a"), 1_000, nothing);
    store.setFrozen(true);
    await pass(10_000);
    expect(loads).toHaveLength(3);
    store.invalidate();
    await pass(250);
    expect(loads).toHaveLength(4);
    clock.isVisible = false;
    await pass(20_000);
    expect(loads.length).toBeLessThanOrEqual(6);
  });

  test("keeps the last value when a request fails, tries ever less often, and at once when the server announces a change", async () => {
    const { store, pass } = makeStore();
    let calls = 0;
    let isFailing = false;
    const load = async () => {
      calls++;
      if (isFailing) throw new Error("no answer");
      return calls;
    };
    store.subscribe("a", load, 1_000, nothing);
    await pass(1_000);
    isFailing = true;
    const before = calls;
    await pass(30_000);
    expect(calls - before).toBeLessThanOrEqual(6);
    expect(store.snapshot("a")).toMatchObject({ value: 2, error: new Error("no answer") });
    isFailing = false;
    store.retryNow();
    await pass(250);
    expect(store.snapshot("a").error).toBeNull();
  });
});
