// A state saved by one server and loaded by another one of the same scenario.
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SessionOptions } from "../../../src/live/session/sessionOptions.ts";
import { exportYaml } from "../../session/exportYaml.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { START_MS, tinyServedScenario } from "../../session/tinyScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { SandboxServer } from "./sandboxServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };
const servers: SandboxServer[] = [];

async function serve(options: Partial<SessionOptions> = {}, served = tinyServedScenario()): Promise<SandboxServer> {
  const server = await SandboxServer.start(await openTinySession(options, served), { instructor: "teacher" });
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const post = (server: SandboxServer, path: string, body: unknown = {}) => server.post(path, body, INSTRUCTOR);
const load = (server: SandboxServer, file: unknown) => post(server, "/sandbox/initial-conditions", file);
const advance = (server: SandboxServer, to: string) =>
  post(server, "/sandbox/clock/advance", { to: `2026-04-01T${to}Z` });

/** A session with commands of each kind, and its state at a checkpoint. */
async function saved() {
  const server = await serve();
  const { session } = server;
  const { vpps, sites } = session.scenario.world;
  const weight = { allocation_weight: 70 };
  const path = `/members/${sites[0].emsId}`;
  await advance(server, "00:30:00");
  await session.answer(
    { api: "vpp-v1", id: vpps[0].vppId, method: "POST", path, query: {}, body: weight },
    { key: "a-key", hasAnswer: () => false, storeAnswer: () => {} },
  );
  await post(server, "/sandbox/faults", { kind: "outage", site: "plant", duration: "PT20M" });
  const when = { soc_pct: { site: "battery-2", below: 49 }, for: "PT2M" };
  await post(server, "/sandbox/injects", { kind: "derate", site: "battery-1", when, limit_pct: 40, ramp_in: "PT5M" });
  await post(server, "/sandbox/owner-calls", { site: "plant" });
  await advance(server, "01:10:00");
  const { body } = await post(server, "/sandbox/checkpoints", { label: "in the award" });
  const hash = session.stateHash();
  await advance(server, "01:40:00");
  const file = await server.get(`/sandbox/initial-conditions/${String(body.checkpoint_id)}`, INSTRUCTOR);
  expect(file.status).toBe(200);
  return { server, hash, file: file.body };
}

test("an initial condition has what another server needs to reach the same state, paused and marked", async () => {
  const { hash, file } = await saved();
  const { world, hash: scenarioHash } = tinyServedScenario().scenario;
  expect(file).toMatchObject({
    vppsim_initial_condition: 1,
    scenario: "tiny",
    hash: scenarioHash,
    seed: world.seed,
    opened_at: "2026-04-01T00:00:00Z",
    at: "2026-04-01T01:10:00Z",
    label: "in the award",
    state_hash: hash,
  });
  expect(file.commands).toHaveLength(4);
  expect(JSON.stringify(file)).not.toContain("a-key");
  const other = await serve();
  await post(other, "/sandbox/clock/resume", { speed: 1 });
  await other.post("/sandbox/actions", { kind: "acknowledged", text: "something" });
  const loaded = await load(other, file);
  expect([loaded.status, loaded.body]).toMatchObject([200, { now: "2026-04-01T01:10:00Z", mode: "paused" }]);
  expect(other.session.stateHash()).toBe(hash);
  expect(other.session.checkpoints).toMatchObject([{ label: "in the award", stateHash: hash }]);
  const { actions } = (await other.get("/sandbox/actions", INSTRUCTOR)).body as { actions: Record<string, unknown>[] };
  expect(actions.map(({ text, abandoned }) => [text, abandoned]).slice(-2)).toEqual([
    ["something", true],
    ["to an initial condition", false],
  ]);
});

test("a session goes on from an initial condition as the first one did, with its export, report and returns", async () => {
  const { server, file } = await saved();
  const report = join(createTemporaryFolder("initial"), "report");
  const other = await serve();
  await load(other, file);
  await advance(other, "01:40:00");
  expect(other.session.stateHash()).toBe(server.session.stateHash());
  const events = (text: string) => text.slice(text.indexOf("\nevents:"));
  expect(events(exportYaml(other.session))).toBe(events(exportYaml(server.session)));
  expect((await other.session.writeReport(report)).files).toContain("summary.json");
  await post(other, `/sandbox/checkpoints/${other.session.checkpoints[0].checkpointId}/restore`);
  expect(other.session.stateHash()).toBe(file.state_hash);
  await post(other, "/sandbox/reset");
  expect(other.session.nowMs).toBe(START_MS);
});

test("is read back from the journal after a restart", async () => {
  const { file, hash } = await saved();
  const journal = { file: join(createTemporaryFolder("initial"), "tiny.journal"), resumesEnded: true };
  const first = await serve({ journal });
  await load(first, file);
  await post(first, "/sandbox/faults", { kind: "warning", site: "battery-1" });
  const text = exportYaml(first.session);
  await servers.pop()?.stop();
  const again = await serve({ journal });
  expect(exportYaml(again.session)).toBe(text);
  await post(again, `/sandbox/checkpoints/${again.session.checkpoints[0].checkpointId}/restore`);
  expect(again.session.stateHash()).toBe(hash);
});

test("one of a server that opened earlier is loaded; an instant before the opening is refused", async () => {
  const { file, hash } = await saved();
  const later = await serve({ openAtMs: Date.parse("2026-04-01T01:00:00Z") });
  expect((await load(later, file)).status).toBe(200);
  expect(later.session.stateHash()).toBe(hash);
  const tooLate = await serve({ openAtMs: Date.parse("2026-04-01T01:20:00Z") });
  const { status, body } = await load(tooLate, file);
  expect([status, (body.error as { parameter: string }).parameter]).toEqual([409, "at"]);
});

test("another scenario, seed, data or state is 409 and changes nothing; a malformed file is 400", async () => {
  const { file } = await saved();
  const otherSeed = await serve(
    {},
    tinyServedScenario((yaml) => yaml.replace("seed: 7", "seed: 8")),
  );
  const own = await serve();
  await advance(own, "00:20:00");
  const commands = file.commands as Record<string, unknown>[];
  const cases: readonly (readonly [SandboxServer, object, number, string])[] = [
    [otherSeed, {}, 409, "seed"],
    [own, { seed: 9 }, 409, "seed"],
    [own, { scenario: "other" }, 409, "scenario"],
    [own, { hash: "0" }, 409, "hash"],
    [own, { state_hash: "0" }, 409, "state_hash"],
    [own, { commands: commands.slice(1) }, 409, "state_hash"],
    [own, { at: "2026-04-01T07:00:00Z" }, 409, "at"],
    [own, { vppsim_initial_condition: 2 }, 400, "vppsim_initial_condition"],
    [own, { at: "soon" }, 400, "at"],
    [own, { more: 1 }, 400, "more"],
    [own, { commands: [null] }, 400, "commands.0"],
    [
      own,
      {
        commands: [
          { kind: "fault_end", at_ms: START_MS + 1, fault_id: "x" },
          { kind: "fault_end", at_ms: START_MS, fault_id: "x" },
        ],
      },
      400,
      "commands.1",
    ],
    [own, { commands: [{ kind: "reset" }] }, 400, "commands.0"],
    [own, { commands: [{ kind: "fault_end", at_ms: START_MS - 1, fault_id: "x" }] }, 400, "commands.0"],
    [own, { commands: [{ kind: "owner_call", at_ms: START_MS, site: "nowhere", delay_ms: 1 }] }, 400, "commands.0"],
  ];
  const before = [own.session.stateHash(), exportYaml(own.session), own.session.clock().now];
  for (const [server, change, status, parameter] of cases) {
    const { status: found, body } = await load(server, { ...file, ...change });
    expect([change, found, (body.error as { parameter: string }).parameter]).toEqual([change, status, parameter]);
  }
  expect([own.session.stateHash(), exportYaml(own.session), own.session.clock().now]).toEqual(before);
  expect(own.session.checkpoints).toEqual([]);
  await post(own, "/sandbox/clock/resume", { speed: 1 });
  expect((await load(own, { ...file, state_hash: "0" })).status).toBe(409);
  expect(own.session.clock().mode).toBe("running");
});

test("is the instructor's alone", async () => {
  const server = await serve();
  expect((await server.get("/sandbox/initial-conditions/x")).status).toBe(403);
  expect((await server.post("/sandbox/initial-conditions", {})).status).toBe(403);
  expect((await server.get("/sandbox/initial-conditions/x", INSTRUCTOR)).status).toBe(404);
});
