/**
 * How many calls a second a server answers, and in what time: real sockets, the server in one process, the callers here.
 *
 *   npx tsx bench/serve.ts [seconds]
 *
 * Every answer is looked at: one of another status or another beginning counts as wrong, and a bench with wrong answers is
 * none. Commands are on the disk before they are answered.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath, pathToFileURL } from "node:url";
import autocannon from "autocannon";
import type { HostedServer } from "./serveHost.ts";

export interface ServeRow {
  readonly call: string;
  readonly members: number;
  readonly perSecond: number;
  /** Milliseconds within which half, and 99 of 100, were answered. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the server, per call: unlike the calls a second it does not depend on who else uses the machine. */
  readonly cpuUs: number;
  readonly answered: number;
  readonly wrong: number;
}

/** How long each row is loaded, or with how many calls. */
export type LoadDuration = { readonly seconds: number } | { readonly calls: number };

const CONNECTIONS = 32;
const HOST = fileURLToPath(new URL("serveHost.ts", import.meta.url));

export async function run(load: LoadDuration): Promise<ServeRow[]> {
  return [
    ...(await withHost(6, async (hosted) => [
      await measure("GET status", hosted, load, statusOf(hosted)),
      await measure("POST control", hosted, load, controlOf(hosted)),
    ])),
    ...(await withHost(100, async (hosted) => [
      await measure("GET status", hosted, load, statusOf(hosted)),
      await measure("POST control", hosted, load, controlOf(hosted)),
    ])),
  ];
}

/** A server that was started, and the process it runs in. */
interface ServerProcess extends HostedServer {
  readonly child: ChildProcess;
}

async function withHost<T>(members: number, work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const child = fork(HOST, [String(members)], { execArgv: ["--import", "tsx"] });
  try {
    const [hosted] = (await once(child, "message")) as [HostedServer];
    return await work({ ...hosted, child });
  } finally {
    child.disconnect();
  }
}

const statusOf = (hosted: HostedServer): autocannon.Request => ({
  method: "GET",
  path: `/v1/vpp/${hosted.vppId}/status`,
});

/** Each takes the place of the one before: one instruction runs at a time. */
function controlOf({ vppId, emsIds }: HostedServer): autocannon.Request {
  const member_baselines = emsIds.map((ems_id) => ({ ems_id, baseline_kw: 0 }));
  return {
    method: "POST",
    path: `/v1/vpp/${vppId}/control/active_power`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "immediate", delta_kw: -100, duration_minutes: 5, member_baselines }),
  };
}

async function measure(
  call: string,
  hosted: ServerProcess,
  load: LoadDuration,
  request: autocannon.Request,
): Promise<ServeRow> {
  const authorization = await signIn(hosted);
  const shared = {
    url: hosted.baseUrl,
    connections: CONNECTIONS,
    requests: [{ ...request, headers: { ...request.headers, authorization } }],
    verifyBody: (body: string | Buffer | undefined) => String(body).startsWith(`{"vpp_id":"${hosted.vppId}"`),
  };
  const amount = "calls" in load ? { amount: load.calls } : { duration: load.seconds };
  // What is compiled only when it is used is compiled before it is measured.
  if ("seconds" in load) await autocannon({ ...shared, duration: 1 });
  const beforeS = await cpuSeconds(hosted.child);
  const { requests, latency, non2xx, mismatches, errors, duration, ...rest } = await autocannon({
    ...shared,
    ...amount,
  });
  return {
    call,
    members: hosted.emsIds.length,
    perSecond: Math.round(rest["2xx"] / duration),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    cpuUs: Math.round((1e6 * ((await cpuSeconds(hosted.child)) - beforeS)) / requests.total),
    answered: requests.total,
    wrong: non2xx + mismatches + errors,
  };
}

async function cpuSeconds(child: ChildProcess): Promise<number> {
  child.send("usage");
  const [seconds] = (await once(child, "message")) as [number];
  return seconds;
}

async function signIn({ authUrl, refreshToken }: HostedServer): Promise<string> {
  const headers = { authorization: `Bearer ${refreshToken}` };
  const answer = await fetch(`${authUrl}/auth/refresh`, { method: "POST", headers });
  const { access_token } = (await answer.json()) as { readonly access_token: string };
  return `Bearer ${access_token}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.table(await run({ seconds: Number(process.argv[2] ?? 5) }));
}
