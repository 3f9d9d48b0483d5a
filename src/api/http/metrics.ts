import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ApiHost } from "./apiHost.ts";
import type { ReaderRegistry } from "./telemetry/readerRegistry.ts";

/** Upper bounds of the latency histogram in seconds: from a status read to a month of power history. */
const LATENCY_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What /metrics shows: in a separated session nothing that reveals the instructor's calls (docs/model/sandbox.md#roles). */
type MetricsScope = "whole session" | "separated session";

const isSandbox = (url: string): boolean => url.startsWith("/sandbox/");

/** Counts requests and serves the counters and the state of the session at /metrics (Prometheus text format). */
export function addMetrics(server: FastifyInstance, host: ApiHost, readers: ReaderRegistry, scope: MetricsScope): void {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "vppsim_http_requests_total",
    help: "Requests answered, by route and status",
    labelNames: ["method", "route", "status"] as const,
    registers,
  });
  const latency = new Histogram({
    name: "vppsim_http_request_seconds",
    help: "Real seconds from request to answer, by route",
    labelNames: ["method", "route"] as const,
    buckets: LATENCY_BUCKETS,
    registers,
  });
  addGauge(registers, "vppsim_simulated_time_seconds", "Simulated now, in seconds since 1970", () => host.nowMs / 1000);
  addGauge(
    registers,
    "vppsim_lag_seconds",
    "Simulated seconds that the world is behind its clock",
    () => host.clock().lag_seconds,
  );
  addGauge(registers, "vppsim_achieved_speed", "Simulated seconds in a real one", () => host.clock().achieved_speed);
  if (scope === "whole session")
    addGauge(registers, "vppsim_events_total", "Events that the simulated world has handled", () => host.eventCount);
  // The standard name, which common dashboards use.
  addGauge(registers, "process_resident_memory_bytes", "Memory of the server in bytes", () =>
    process.memoryUsage.rss(),
  );
  addGauge(registers, "process_cpu_seconds_total", "User and system time of the server in seconds", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  addGauge(registers, "vppsim_telemetry_readers", "Open telemetry connections", () => readers.connectedCount);
  addGauge(registers, "vppsim_telemetry_bytes", "Bytes held for telemetry readers", () => readers.budget.usedBytes);
  server.addHook("onResponse", (request, reply, done) => {
    const { url: route = "unknown" } = request.routeOptions;
    if (scope === "whole session" || !isSandbox(route)) {
      const { method } = request;
      requests.inc({ method, route, status: reply.statusCode });
      latency.observe({ method, route }, reply.elapsedTime / 1000);
    }
    done();
  });
  addEventLoopDelay(server, registers);
  server.get("/metrics", async (_request, reply) =>
    reply.header("content-type", registry.contentType).send(await registry.metrics()),
  );
}

/** Real milliseconds between two samples of the event loop. */
const SAMPLE_INTERVAL_MS = 10;

function addEventLoopDelay(server: FastifyInstance, registers: Registry[]): void {
  // not simulated: watches real time
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL_MS });
  delays.enable();
  server.addHook("onClose", async () => void delays.disable());
  new Gauge({
    name: "vppsim_event_loop_delay_seconds",
    help: "Delay of the event loop since the last read of these metrics",
    labelNames: ["quantile"] as const,
    registers,
    collect() {
      for (const quantile of [0.5, 0.99, 1]) {
        // A sample is the time between two timers.
        const delayMs = delays.percentile(100 * quantile) / 1e6 - SAMPLE_INTERVAL_MS;
        this.set({ quantile }, Math.max(0, delayMs) / 1e3);
      }
      delays.reset();
    },
  });
}

function addGauge(registers: Registry[], name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });
}
