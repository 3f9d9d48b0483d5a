import type { FastifyInstance } from "fastify";
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
  const routes = new OpenRoutes();
  server.addHook("onRequest", (request, reply, done) => {
    routes.open(labelOf(request.routeOptions.url ?? "unknown"), reply.raw);
    done();
  });
  let lastMs = systemClock.nowMs();
  // not simulated: watches real time
  const timer = setInterval(() => {
    const nowMs = systemClock.nowMs();
    const delayMs = Math.max(0, nowMs - lastMs - SAMPLE_INTERVAL_MS);
    lastMs = nowMs;
    delays.observe(delayMs / 1000);
    const answered = routes.take();
    if (delayMs > HOLD_MS) for (const route of answered) holds.inc({ route });
  }, SAMPLE_INTERVAL_MS);
  timer.unref();
  server.addHook("onClose", (_server, done) => {
    clearInterval(timer);
    done();
  });
}

/** Routes of requests that are open, or were open since the last sample. */
class OpenRoutes {
  readonly #counts = new Map<string, number>();
  #closed = new Set<string>();

  open(route: string, response: { once(event: "close", call: () => void): unknown }): void {
    this.#counts.set(route, (this.#counts.get(route) ?? 0) + 1);
    response.once("close", () => {
      this.#closed.add(route);
      const count = (this.#counts.get(route) ?? 1) - 1;
      if (count === 0) this.#counts.delete(route);
      else this.#counts.set(route, count);
    });
  }

  /** The routes since the last call; `none` for no request. */
  take(): ReadonlySet<string> {
    const routes = new Set([...this.#counts.keys(), ...this.#closed]);
    this.#closed = new Set();
    return routes.size === 0 ? new Set(["none"]) : routes;
  }
}
