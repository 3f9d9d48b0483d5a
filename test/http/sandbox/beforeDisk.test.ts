// Nothing is answered or shown before it is on disk, seen from the wire while the disk is busy.
import { once } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createSandboxAccess } from "../../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../../src/api/http/sandbox/sandboxPlugin.ts";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { type LiveServer, startLiveServer } from "../liveServer.ts";

const { fdatasync } = fs;
/** Writes to disk that wait, while the disk is busy. */
let waiting: (() => void)[] | null = null;
let live: LiveServer | null = null;
const sockets: WebSocket[] = [];

function makeDiskBusy(): void {
  waiting = [];
  fs.fdatasync = ((fd: number, done: (error: NodeJS.ErrnoException | null) => void) =>
    waiting === null ? fdatasync(fd, done) : waiting.push(() => fdatasync(fd, done))) as typeof fdatasync;
  syncBuiltinESMExports();
}

function freeDisk(): void {
  const calls = waiting ?? [];
  waiting = null;
  for (const call of calls) call();
  fs.fdatasync = fdatasync;
  syncBuiltinESMExports();
}

afterEach(async () => {
  freeDisk();
  for (const socket of sockets.splice(0)) socket.terminate();
  await live?.close();
  live = null;
});

async function serve(): Promise<LiveServer> {
  const file = join(createTemporaryFolder("disk"), "tiny.journal");
  live = await startLiveServer(
    (session) => ({
      plugins: [
        (base, _options, done) => {
          const access = createSandboxAccess({
            signingKey: session.signingKey,
            sandboxToken: null,
            instructorToken: null,
          });
          base.register(sandboxPlugin, { session, access, report: null });
          done();
        },
      ],
    }),
    calmServedScenario(),
    { journal: { file, resumesEnded: true } },
  );
  return live;
}

const post = (path: string, body: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${live!.baseUrl}${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

interface Change {
  readonly name: string;
  /** Sends the change, and resolves with its status. */
  readonly send: (checkpointId: string, headers: Readonly<Record<string, string>>) => Promise<Response>;
}

const CHANGES: readonly Change[] = [
  { name: "a restore", send: (checkpointId) => post(`/sandbox/checkpoints/${checkpointId}/restore`) },
  { name: "a reset", send: () => post("/sandbox/reset") },
  { name: "a checkpoint", send: () => post("/sandbox/checkpoints") },
  { name: "a fault", send: () => post("/sandbox/faults", { kind: "outage", site: "plant" }) },
  {
    name: "a command",
    send: (_, headers) =>
      post(`/v1/vpp/${live!.idOf("east")}/members/${live!.idOf("plant")}`, { allocation_weight: 3 }, headers),
  },
];

test.each(CHANGES)("no read shows $name before it is on disk", async ({ send }) => {
  const { session, baseUrl, idOf, signIn } = await serve();
  const headers = await signIn("east");
  const { checkpointId } = await session.addCheckpoint("before");
  await session.advance((nowMs) => nowMs + 90 * 60_000);
  makeDiskBusy();
  const changed = send(checkpointId, headers);
  await vi.waitUntil(() => waiting!.length > 0);
  const answered: string[] = [];
  const vpp = `${baseUrl}/v1/vpp/${idOf("east")}`;
  const reads = [
    `${vpp}/members`,
    `${baseUrl}/sandbox/clock`,
    `${baseUrl}/sandbox/faults`,
    `${baseUrl}/sandbox/checkpoints`,
    `${baseUrl}/sandbox/vpps/east/balance`,
  ].map(async (url) => {
    const answer = await fetch(url, { headers });
    answered.push(url);
    return answer.status;
  });
  const socket = new WebSocket(`${vpp.replace("http", "ws")}/telemetry`, { headers });
  sockets.push(socket);
  const greeted = once(socket, "message").then(() => answered.push("telemetry"));
  // Probes do not wait: when they are back, the others have had time to be answered.
  for (let k = 0; k < 10; k++) expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  expect(answered).toEqual([]);
  freeDisk();
  expect([200, 204]).toContain((await changed).status);
  expect(await Promise.all(reads)).toEqual(reads.map(() => 200));
  await greeted;
});

test("a command whose key a restore brings back meanwhile acts once", async () => {
  const { session, baseUrl, idOf, signIn } = await serve();
  const headers = { ...(await signIn("east")), "idempotency-key": "k" };
  const schedule = {
    type: "schedule",
    delta_kw: -50,
    start_time: "2026-04-01T03:00:00Z",
    end_time: "2026-04-01T03:30:00Z",
    member_baselines: ["battery-1", "battery-2", "plant"].map((name) => ({ ems_id: idOf(name), baseline_kw: 0 })),
  };
  const command = () => post(`/v1/vpp/${idOf("east")}/control/active_power`, schedule, headers);
  const accepted = await command();
  expect(accepted.status).toBe(200);
  const first = await accepted.text();
  const { checkpointId } = await session.addCheckpoint("with the key");
  await session.reset();
  await session.advance((nowMs) => nowMs + 60_000);
  makeDiskBusy();
  // A checkpoint holds the queue, and the restore and the command wait behind it.
  const held = session.addCheckpoint("holds");
  await vi.waitUntil(() => waiting!.length > 0);
  const restored = session.restore(checkpointId);
  const again = command();
  for (let k = 0; k < 10; k++) await fetch(`${baseUrl}/health`);
  freeDisk();
  await Promise.all([held, restored]);
  expect(await (await again).text()).toBe(first);
  expect([...session.exportParts()].join("").match(/"kind":"request"/g)).toHaveLength(1);
});
