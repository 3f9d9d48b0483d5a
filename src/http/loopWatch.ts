import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Histogram, type Registry } from "prom-client";
import { systemClock } from "../session/wallClock.ts";

/** Real milliseconds between two samples. */
const SAMPLE_INTERVAL_MS = 10;
/** A longer delay is a hold (docs/model/sandbox.md#event-loop). */
const HOLD_MS = 50;
/** Upper bounds of the histogram of delays, in seconds. */
const DELAY_BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Measures how late the event loop runs a timer, and counts long delays by the routes answered meanwhile.
 *
 * @param labelOf  label of a path pattern
 */
export function watchEventLoop(server: FastifyInstance, registry: Registry, labelOf: (url: string) => string): void {
  const registers = [registry];
  const delays = new Histogram({
    name: "vppsim_event_loop_delay_seconds",
    help: `Delay of the event loop, sampled every ${SAMPLE_INTERVAL_MS} ms`,
    buckets: DELAY_BUCKETS,
    registers,
  });
  const holds = new Counter({
    name: "vppsim_event_loop_holds_total",
    help: `Delays of the event loop of more than ${HOLD_MS} ms, by each route that was being answered`,
    labelNames: ["route"] as const,
    registers,
  });
  /** Requests that are open, or were since the last sample. */
  let requests: Exchange[] = [];
  server.addHook("onRequest", (request, reply, done) => {
    requests.push([request, reply]);
    done();
  });
  let lastMs = systemClock.nowMs();
  // not simulated: watches real time
  const timer = setInterval(() => {
    const nowMs = systemClock.nowMs();
    const delayMs = Math.max(0, nowMs - lastMs - SAMPLE_INTERVAL_MS);
    lastMs = nowMs;
    delays.observe(delayMs / 1000);
    if (delayMs > HOLD_MS) {
      const routes = new Set(requests.map(([request]) => labelOf(request.routeOptions.url ?? "unknown")));
      for (const route of routes.size === 0 ? ["none"] : routes) holds.inc({ route });
    }
    requests = requests.filter(isOpen);
  }, SAMPLE_INTERVAL_MS);
  timer.unref();
  server.addHook("onClose", (_server, done) => {
    clearInterval(timer);
    done();
  });
}

/** A request and its reply. */
type Exchange = readonly [FastifyRequest, FastifyReply];

/** Whether a request still waits for the end of its answer. */
const isOpen = ([request, { raw }]: Exchange): boolean =>
  !raw.writableFinished && !raw.destroyed && !request.raw.socket.destroyed;
