/**
 * Event queue under the hold model: pop the next event, push it again later, with a constant number pending.
 *
 * The hash of the popped order is printed beside the speed: a faster queue with another hash is a wrong queue.
 * Run with `npx tsx bench/kernel.ts`.
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { EventQueue } from "../src/engine/kernel/eventQueue.ts";
import { RandomStreams } from "../src/engine/kernel/randomStreams.ts";

export interface HoldResult {
  readonly pending: number;
  readonly eventsPerSecond: number;
  /** First 16 hex digits of the SHA-256 of the subjects in the order in which they were popped. */
  readonly orderHash: string;
}

const PENDING = [200, 1_000, 100_000];
const DELAYS = 2 ** 16;
const MEAN_DELAY_MS = 60_000;

/** @param n  holds (one pop and one push each) per number of pending events */
export function run(n: number): HoldResult[] {
  return PENDING.map((pending) => {
    hold(pending, Math.min(n, 200_000));
    const startedMs = performance.now();
    hold(pending, n);
    const elapsedMs = performance.now() - startedMs;
    return { pending, eventsPerSecond: (n / elapsedMs) * 1000, orderHash: hold(pending, n, new Int32Array(n)) };
  });
}

/** Timed without `order`; with it, writes down the popped subjects and gives their hash. */
function hold(pending: number, n: number, order?: Int32Array): string {
  const random = new RandomStreams(1).getStream("bench", "hold");
  const delaysMs = Float64Array.from({ length: DELAYS }, () => Math.ceil(random.nextExponential(MEAN_DELAY_MS)));
  const queue = new EventQueue();
  for (let i = 0; i < pending; i++) queue.push(delaysMs[i % DELAYS], i % 8, 0, i);
  for (let i = 0; i < n; i++) {
    queue.pop();
    if (order) order[i] = queue.subject;
    queue.push(queue.atMs + delaysMs[i % DELAYS], queue.rank, queue.kind, queue.subject);
  }
  return order ? createHash("sha256").update(new Uint8Array(order.buffer)).digest("hex").slice(0, 16) : "";
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { pending, eventsPerSecond, orderHash } of run(5_000_000)) {
    console.log(`${pending} pending: ${(eventsPerSecond / 1e6).toFixed(1)} M events/s, order ${orderHash}`);
  }
}
