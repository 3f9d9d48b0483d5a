/**
 * The server of bench/holds.ts and bench/sleepers.ts, in a process of its own: a VPP of batteries with half-hour awards that has
 * run for some days, or a shipped drill, with the sandbox, a journal and a report folder, paused, without rate limits. It measures how long its
 * event loop is held.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { drillFileOf } from "../src/drill/listDrills.ts";
import { LiveGrades } from "../src/drill/liveGrades.ts";
import { readDrill } from "../src/drill/readDrill.ts";
import { dashboardFolder, readDashboardFiles } from "../src/http/dashboard/dashboardFiles.ts";
import { dashboardPlugin } from "../src/http/dashboard/dashboardPlugin.ts";
import { createSandboxAccess } from "../src/http/sandbox/sandboxAccess.ts";
import { sandboxDescription } from "../src/http/sandbox/sandboxDocument.ts";
import { sandboxPlugin } from "../src/http/sandbox/sandboxPlugin.ts";
import { buildServers } from "../src/http/server.ts";
import { useSingleThreadScavenges } from "../src/http/singleThreadScavenges.ts";
import { readServedScenario, type ServedScenario } from "../src/session/servedScenario.ts";
import { Session } from "../src/session/session.ts";
import { fleetYaml, HOUR_MS, START_MS } from "./liveFleet.ts";

/** What the benches need to know. */
export interface HoldHost {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly vppId: string;
  readonly vppToken: string;
  readonly sites: readonly { readonly id: string; readonly token: string }[];
}

/** Of the server since the last question. */
export interface HostUsage {
  /** The longest time for which the event loop did not turn, in milliseconds. */
  readonly holdMs: number;
  /**
   * The longest such time without those parts in which the thread waited for a processor, so that it depends less on what else
   * the machine does; on Linux, otherwise as `holdMs`.
   */
  readonly ownMs: number;
  /**
   * The longest processor time of the thread in such a time: without its waits for helper threads, which may wait for a processor
   * themselves, and for the disk; on Linux, otherwise 0.
   */
  readonly cpuMs: number;
  /** The longest garbage collection, which is a part of a hold. */
  readonly gcMs: number;
  readonly residentMb: number;
}

const RESOLUTION_MS = 1;

interface HeldWorld {
  readonly served: ServedScenario;
  readonly openAtMs: number;
  /** Of a drill. */
  readonly grades?: LiveGrades;
}

function fleetWorld(folder: string, members: number, days: number): HeldWorld {
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, fleetYaml({ members, days: days + 2, hasAwards: true, hasOutages: true }));
  return { served: readServedScenario(file), openAtMs: START_MS + days * 24 * HOUR_MS };
}

function drillWorld(name: string): HeldWorld {
  const drill = readDrill(drillFileOf(name));
  return { served: drill.served, openAtMs: drill.startMs, grades: new LiveGrades(drill) };
}

async function startHost([kind, ...args]: readonly string[]): Promise<HoldHost> {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-holds-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { served, openAtMs, ...drill } =
    kind === "drill" ? drillWorld(args[0]) : fleetWorld(folder, Number(args[0]), Number(args[1]));
  const session = await Session.open({
    served,
    journal: { file: join(folder, "journal"), resumesEnded: false },
    openAtMs,
    tokenSecret: null,
    warn: () => {},
    onFailure: (error) => {
      throw error;
    },
  });
  const { base, auth } = buildServers(session, {
    tokenKey: session.signingKey,
    rateLimits: "off",
    logLevel: "error",
    descriptions: [sandboxDescription(session)],
    plugins: [
      (server, _options, done) => {
        server.register(sandboxPlugin, {
          session,
          access: createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken: null }),
          report: join(folder, "report"),
          ...drill,
        });
        done();
      },
      dashboardPlugin({
        files: readDashboardFiles(dashboardFolder()),
        version: "bench",
        authPort: () => null,
        sessionOf: () => ({ trainee_token: null, separated: false, drill: drill.grades?.drill.name ?? null }),
      }),
    ],
  });
  await Promise.all([base.listen({ port: 0, host: "127.0.0.1" }), auth.listen({ port: 0, host: "127.0.0.1" })]);
  const [baseUrl, authUrl] = [base, auth].map(
    ({ server }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  const [vpp] = session.credentials.filter(({ kind }) => kind === "vpp");
  const sites = session.credentials
    .filter(({ kind }) => kind === "site")
    .map(({ id, refreshToken }) => ({ id, token: refreshToken }));
  return { baseUrl, authUrl, vppId: vpp.id, vppToken: vpp.refreshToken, sites };
}

/** Milliseconds in which the main thread has run, and in which it has waited for a processor. */
function schedulerTimes(): { readonly ranMs: number; readonly waitedMs: number } {
  if (process.platform !== "linux") return { ranMs: 0, waitedMs: 0 };
  const [ranMs, waitedMs] = readFileSync("/proc/self/schedstat", "utf8")
    .split(" ")
    .map((ns) => Number(ns) / 1e6);
  return { ranMs, waitedMs };
}

useSingleThreadScavenges();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
let [ownMs, cpuMs] = [0, 0];
let last = { atMs: performance.now(), ...schedulerTimes() };
setInterval(() => {
  const next = { atMs: performance.now(), ...schedulerTimes() };
  cpuMs = Math.max(cpuMs, next.ranMs - last.ranMs);
  ownMs = Math.max(ownMs, next.atMs - last.atMs - (next.waitedMs - last.waitedMs) - RESOLUTION_MS);
  last = next;
}, RESOLUTION_MS);
let gcMs = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) gcMs = Math.max(gcMs, duration);
}).observe({ entryTypes: ["gc"] });
process.on("message", () => {
  const usage: HostUsage = {
    holdMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    ownMs,
    cpuMs,
    gcMs,
    residentMb: process.memoryUsage.rss() / 1e6,
  };
  delay.reset();
  [ownMs, cpuMs, gcMs] = [0, 0, 0];
  process.send?.(usage);
});
process.once("disconnect", () => process.exit(0));
process.send?.(await startHost(process.argv.slice(2)));
