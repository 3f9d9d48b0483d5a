/**
 * The server of bench/holds.ts and bench/sleepers.ts, in a process of its own: a VPP of batteries with half-hour awards that has
 * run for some days, with the sandbox, a journal and a report folder, paused, without rate limits. It measures how long its
 * event loop is held.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createSandboxAccess } from "../src/http/sandbox/sandboxAccess.ts";
import { sandboxDescription } from "../src/http/sandbox/sandboxDocument.ts";
import { sandboxPlugin } from "../src/http/sandbox/sandboxPlugin.ts";
import { buildServers } from "../src/http/server.ts";
import { readServedScenario } from "../src/session/servedScenario.ts";
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
  readonly residentMb: number;
}

const RESOLUTION_MS = 1;

async function startHost(members: number, days: number): Promise<HoldHost> {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-holds-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, fleetYaml({ members, days: days + 2, hasAwards: true, hasOutages: true }));
  const session = await Session.open({
    served: readServedScenario(file),
    journal: { file: join(folder, "journal"), resumesEnded: false },
    openAtMs: START_MS + days * 24 * HOUR_MS,
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
        });
        done();
      },
    ],
  });
  await Promise.all([base.listen({ port: 0, host: "127.0.0.1" }), auth.listen({ port: 0, host: "127.0.0.1" })]);
  const [baseUrl, authUrl] = [base, auth].map(
    ({ server }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  const vpp = session.credentials.find(({ kind }) => kind === "vpp")!;
  const sites = session.credentials
    .filter(({ kind }) => kind === "site")
    .map(({ id, refreshToken }) => ({ id, token: refreshToken }));
  return { baseUrl, authUrl, vppId: vpp.id, vppToken: vpp.refreshToken, sites };
}

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on("message", () => {
  const usage: HostUsage = {
    holdMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    residentMb: process.memoryUsage.rss() / 1e6,
  };
  delay.reset();
  process.send?.(usage);
});
process.once("disconnect", () => process.exit(0));
process.send?.(await startHost(Number(process.argv[2]), Number(process.argv[3])));
