/**
 * What telemetry readers that never read cost a server: resident memory, and the time of /health while the clock advances.
 *
 *   npx tsx bench/sleepers.ts [readers] [members] [hours]
 *
 * Each reader takes the status of the whole VPP every simulated minute, and reads nothing after the hello.
 */
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { WebSocket } from "ws";
import { HoldProcess } from "./holdProcess.ts";

export interface SleeperRow {
  readonly readers: number;
  readonly residentMb: number;
  readonly addedMb: number;
  readonly healthMs: number;
  readonly holdMs: number;
  readonly ownMs: number;
  readonly closed: number;
}

export async function run(readers: number, members: number, hours: number): Promise<SleeperRow> {
  const server = await HoldProcess.start(members, 1);
  try {
    const { vppId, vppToken, baseUrl } = server.host;
    const headers = await server.signIn(vppToken);
    const url = `${baseUrl.replace("http", "ws")}/v1/vpp/${vppId}/telemetry`;
    const sockets: WebSocket[] = [];
    for (let k = 0; k < readers; k++) {
      const socket = new WebSocket(url, { headers });
      socket.on("error", () => {});
      await once(socket, "message");
      socket.pause();
      sockets.push(socket);
    }
    const before = await server.usage();
    await server.slowestHealthMs();
    for (let hour = 0; hour < hours; hour++)
      await server.request("POST", "/sandbox/clock/advance", { body: { by: "PT1H" } });
    const healthMs = await server.slowestHealthMs();
    const { residentMb, holdMs, ownMs } = await server.usage();
    const { text } = await server.request("GET", "/metrics");
    const open = Number(/^vppsim_telemetry_readers (\d+)$/m.exec(text)?.[1]);
    for (const socket of sockets) socket.terminate();
    const [resident, added] = [residentMb, residentMb - before.residentMb].map(Math.round);
    return {
      readers,
      residentMb: resident,
      addedMb: added,
      healthMs: Math.round(healthMs),
      holdMs: Math.round(holdMs),
      ownMs: Math.round(ownMs),
      closed: readers - open,
    };
  } finally {
    server.stop();
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [readers = 300, members = 100, hours = 12] = process.argv.slice(2).map(Number);
  console.log(await run(readers, members, hours));
}
