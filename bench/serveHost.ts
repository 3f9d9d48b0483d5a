/** The server of bench/serve.ts, in a process of its own: a VPP of batteries with a journal, paused, without rate limits. */
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildServers } from "../src/api/http/server.ts";
import { memoryFiles } from "../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario } from "../src/live/session/servedScenario.ts";
import { Session } from "../src/live/session/session.ts";
import { fleetYaml } from "./liveFleet.ts";

/** What the bench needs to know. */
export interface HostedServer {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly vppId: string;
  readonly refreshToken: string;
  readonly emsIds: readonly string[];
}

async function startHost(members: number): Promise<HostedServer> {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-serve-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const yaml = fleetYaml({ members, days: 1, hasAwards: false, hasOutages: false });
  const session = await Session.open({
    served: readServedScenario("/served.yaml", memoryFiles(new Map([["/served.yaml", yaml]]))),
    journal: { file: join(folder, "journal"), resumesEnded: false },
    openAtMs: null,
    tokenSecret: null,
    warn: () => {},
    onFailure: (error) => {
      throw error;
    },
  });
  const { base, auth } = buildServers(session, { tokenKey: session.signingKey, rateLimits: "off", logLevel: "error" });
  await Promise.all([base.listen({ port: 0, host: "127.0.0.1" }), auth.listen({ port: 0, host: "127.0.0.1" })]);
  const [baseUrl, authUrl] = [base, auth].map(
    ({ server }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  const [vpp] = session.credentials.filter(({ kind }) => kind === "vpp");
  const emsIds = session.credentials.filter(({ kind }) => kind === "site").map(({ id }) => id);
  return { baseUrl, authUrl, vppId: vpp.id, refreshToken: vpp.refreshToken, emsIds };
}

// Asked for it, the server tells the CPU time it has used so far, in seconds.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
});
process.once("disconnect", () => process.exit(0));
process.send?.(await startHost(Number(process.argv[2])));
