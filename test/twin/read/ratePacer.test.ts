import { expect, test } from "vitest";
import { ApiError, ConnectionError, type RateLimit } from "../../../src/api/client/index.ts";
import { RatePacer } from "../../../src/twin/read/ratePacer.ts";

function paced() {
  const waits: number[] = [];
  const pacer = new RatePacer({
    sleep: async (seconds) => void waits.push(seconds),
    onWait: () => {},
    checkStopped: () => {},
  });
  return { pacer, waits };
}

const limitOf = (remaining: number): RateLimit => ({ limit: 1000, remaining, reset: 0, resetAfterSeconds: 42 });

test("a lost connection is tried five times more", async () => {
  const { pacer, waits } = paced();
  let attempts = 0;
  const lost = async () => {
    attempts++;
    throw new ConnectionError("reset");
  };
  await expect(pacer.request({ rateLimit: null }, lost)).rejects.toThrow("reset");
  expect({ attempts, waits }).toEqual({ attempts: 6, waits: [1, 2, 4, 8, 16] });
});

test("Retry-After counts within a second and an hour, as often as it is asked for", async () => {
  const { pacer, waits } = paced();
  const delays = [0, 30, 86_400, 2, 2, 2, 2, 2];
  const busy = async () => {
    const delay = delays.shift();
    if (delay === undefined) return "done";
    throw new ApiError(delay > 60 ? 503 : 429, { code: 429, message: "busy" }, null, "GET /", delay);
  };
  expect(await pacer.request({ rateLimit: null }, busy)).toBe("done");
  expect(waits).toEqual([1, 30, 3600, 2, 2, 2, 2, 2]);
});

test("other refusals are not repeated", async () => {
  const { pacer, waits } = paced();
  const refuse = async () => {
    throw new ApiError(404, { code: 404, message: "no" }, null, "GET /");
  };
  await expect(pacer.request({ rateLimit: null }, refuse)).rejects.toThrow("no");
  expect(waits).toEqual([]);
});

test("with two requests left the next one waits for the reset, once", async () => {
  const { pacer, waits } = paced();
  const client = { rateLimit: limitOf(3) };
  await pacer.request(client, async () => {});
  expect(waits).toEqual([]);
  client.rateLimit = limitOf(2);
  await pacer.request(client, async () => {});
  await pacer.request(client, async () => {});
  expect(waits).toEqual([42]);
  client.rateLimit = limitOf(1);
  await pacer.request(client, async () => {});
  expect(waits).toEqual([42, 42]);
});

test("two requests are under way at most", async () => {
  const { pacer } = paced();
  let underWay = 0;
  let most = 0;
  const slow = async () => {
    most = Math.max(most, ++underWay);
    await new Promise((done) => setImmediate(done));
    underWay--;
  };
  await Promise.all(Array.from({ length: 12 }, () => pacer.request({ rateLimit: null }, slow)));
  expect(most).toBe(2);
});
