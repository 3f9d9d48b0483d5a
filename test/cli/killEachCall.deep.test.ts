// kill -9 in the middle of each kind of call that changes a session, and right after its answer: what was answered is there once.
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { runs, seedOr } from "../depth.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { type ReadyLine, requestJson, type ServeProcess, scheduleBody, signIn, startServer } from "./serveProcess.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };
const SEED = seedOr(12);

type Started = ServeProcess & { readonly at: ReadyLine };
type Signed = Awaited<ReturnType<typeof signIn>>;

/** A server and a client of its VPP. */
interface Place {
  readonly at: ReadyLine;
  readonly signed: Signed;
}

/** The VPP's path, or a path of the sandbox. */
const urlOf = ({ at, signed }: Place, path: string): string =>
  path.startsWith("/sandbox") ? at.base_url + path : `${at.base_url}/v1/vpp/${signed.vppId}${path}`;

async function call(place: Place, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = path.startsWith("/sandbox") ? INSTRUCTOR : place.signed.headers;
  const { status, text } = await requestJson(method, urlOf(place, path), body, headers);
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}

const listOf = async (place: Place, path: string, key: string) =>
  (await call(place, "GET", path))[key] as readonly Record<string, unknown>[];

/** One kind of call. */
interface CallKind {
  readonly name: string;
  /** Brings about what the call needs. @returns the call, and how often its effect is there */
  prepare(place: Place): Promise<PreparedCall>;
}

interface PreparedCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  /** How often the effect is there: 0 before the call, 1 after it. */
  effect(place: Place): Promise<number>;
}

/** A call that makes a list longer by one. */
const adding =
  (path: string, list: string, key: string, body: (place: Place) => unknown) =>
  async (place: Place): Promise<PreparedCall> => {
    const count = async (from: Place) => (await listOf(from, list, key)).length;
    const before = await count(place);
    return { method: "POST", path, body: body(place), effect: async (from) => (await count(from)) - before };
  };

const nowMs = ({ at }: Place): number => Date.parse(at.now);
const inMinutes = (place: Place, minutes: number): string =>
  new Date(60_000 * (Math.ceil(nowMs(place) / 60_000) + minutes)).toISOString().replace(".000Z", "Z");
const SCHEDULES = "/control/active_power/schedules";
const outage = { kind: "outage", site: "battery-1" };
const schedule = (place: Place) => scheduleBody(place.signed.sites, inMinutes(place, 20), inMinutes(place, 30));

const KINDS: readonly CallKind[] = [
  {
    name: "a schedule with a key",
    async prepare(place) {
      const before = (await listOf(place, SCHEDULES, "schedules")).map(({ schedule_id }) => schedule_id);
      return {
        method: "POST",
        path: "/control/active_power",
        body: { ...schedule(place), sku: "rr" },
        key: `key-${place.at.now}-${before.length}`,
        effect: async (from) => {
          const after = await listOf(from, SCHEDULES, "schedules");
          return after.filter(({ schedule_id }) => !before.includes(schedule_id)).length;
        },
      };
    },
  },
  {
    name: "a weight",
    async prepare(place) {
      const { ems_id } = place.signed.sites[0];
      const weightOf = async (from: Place) =>
        (await listOf(from, "/members", "members")).find((member) => member.ems_id === ems_id)?.allocation_weight;
      const weight = Number(await weightOf(place)) + 1;
      const body = { allocation_weight: weight };
      const effect = async (from: Place) => Number((await weightOf(from)) === weight);
      return { method: "POST", path: `/members/${ems_id}`, body, effect };
    },
  },
  {
    name: "the end of a schedule",
    async prepare(place) {
      const { schedule_id } = await call(place, "POST", "/control/active_power", { ...schedule(place), sku: "frr" });
      const effect = async (from: Place) =>
        Number((await listOf(from, SCHEDULES, "schedules")).every((found) => found.schedule_id !== schedule_id));
      return { method: "DELETE", path: `${SCHEDULES}?schedule_id=${schedule_id}`, effect };
    },
  },
  { name: "a fault", prepare: adding("/sandbox/faults", "/sandbox/faults", "faults", () => outage) },
  {
    name: "the end of a fault",
    async prepare(place) {
      const { fault_id } = await call(place, "POST", "/sandbox/faults", outage);
      const effect = async (from: Place) =>
        Number((await listOf(from, "/sandbox/faults", "faults")).every((found) => found.fault_id !== fault_id));
      return { method: "DELETE", path: `/sandbox/faults/${fault_id}`, effect };
    },
  },
  {
    name: "a planned malfunction",
    prepare: adding("/sandbox/injects", "/sandbox/injects", "injects", (place) => ({
      ...outage,
      at: inMinutes(place, 200),
    })),
  },
  {
    name: "the cancellation of one",
    async prepare(place) {
      const { inject_id } = await call(place, "POST", "/sandbox/injects", { ...outage, at: inMinutes(place, 200) });
      const effect = async (from: Place) => {
        const found = (await listOf(from, "/sandbox/injects", "injects")).find((each) => each.inject_id === inject_id);
        return Number(found?.state === "cancelled");
      };
      return { method: "DELETE", path: `/sandbox/injects/${inject_id}`, effect };
    },
  },
  {
    name: "a snapshot",
    prepare: adding("/sandbox/checkpoints", "/sandbox/checkpoints", "checkpoints", () => ({ label: "s" })),
  },
  {
    name: "a backtrack",
    async prepare(place) {
      const { checkpoint_id, at } = await call(place, "POST", "/sandbox/checkpoints", {});
      await call(place, "POST", "/sandbox/clock/advance", { by: "PT7S" });
      const effect = async (from: Place) => Number((await call(from, "GET", "/sandbox/clock")).now === at);
      return { method: "POST", path: `/sandbox/checkpoints/${checkpoint_id}/restore`, body: {}, effect };
    },
  },
  {
    name: "a reset",
    async prepare(place) {
      await call(place, "POST", "/sandbox/clock/advance", { by: "PT7S" });
      const effect = async (from: Place) =>
        Number((await call(from, "GET", "/sandbox/clock")).now === "2026-04-01T00:00:00Z");
      return { method: "POST", path: "/sandbox/reset", body: {}, effect };
    },
  },
  {
    name: "a note",
    prepare: adding("/sandbox/notes", "/sandbox/notes", "notes", () => ({ text: "calm" })),
  },
  {
    name: "an action",
    prepare: adding("/sandbox/actions", "/sandbox/actions", "actions", () => ({ kind: "acknowledged", text: "read" })),
  },
  {
    name: "a call to an owner",
    prepare: adding("/sandbox/owner-calls", "/sandbox/actions", "actions", () => ({ site: "battery-1" })),
  },
  {
    name: "an advance",
    async prepare(place) {
      const { now } = await call(place, "GET", "/sandbox/clock");
      const to = new Date(Date.parse(String(now)) + 600_000).toISOString().replace(".000Z", "Z");
      const effect = async (from: Place) => Number((await call(from, "GET", "/sandbox/clock")).now === to);
      return { method: "POST", path: "/sandbox/clock/advance", body: { to }, effect };
    },
  },
];

/** When the process is killed. */
type Moment = "after the answer" | number;

/**
 * Sends a call and kills the server, turns of the event loop after the request is written, or after its answer.
 *
 * @returns the answer; `null`: none came
 */
async function callAndKill(
  server: Started,
  place: Place,
  prepared: PreparedCall,
  moment: Moment,
): Promise<string | null> {
  const { method, path, body, key } = prepared;
  const headers = {
    ...(path.startsWith("/sandbox") ? INSTRUCTOR : place.signed.headers),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const request = httpRequest(urlOf(place, path), { method, headers, agent: false });
  const answered = new Promise<string | null>((resolve) => {
    request.on("error", () => resolve(null));
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve(response.complete ? `${response.statusCode} ${text}` : null));
      response.on("error", () => resolve(null));
    });
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  if (moment === "after the answer") await answered;
  else {
    await once(request, "finish");
    for (let turn = 0; turn < moment; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  server.kill("SIGKILL");
  await server.exited;
  return answered;
}

test(`each kind of call, killed in its middle and after its answer (seed ${SEED})`, async () => {
  const random = new RandomStreams(SEED).getStream("kills", "each call");
  const cwd = createTemporaryFolder("kill-each");
  const file = writeTinyScenario(cwd);
  const args = [file, "--paused", "--journal", "a.journal", "--rate-limits", "off", "--instructor-token", "teacher"];
  const start = () => startServer(cwd, ...args);
  const moments: readonly Moment[] = ["after the answer", ...Array.from({ length: runs(1) }, () => 1)];
  let server = await start();
  const counts = { answered: 0, lost: 0, done: 0 };
  for (const moment of moments) {
    for (const { name, prepare } of KINDS) {
      const place = { at: server.at, signed: await signIn(server.at) };
      const prepared = await prepare(place);
      expect(await prepared.effect(place), `before ${name}`).toBe(0);
      const turns = moment === "after the answer" ? moment : Math.floor(2 ** (11 * random.nextUniform()));
      const answer = await callAndKill(server, place, prepared, turns);
      server = await start();
      const again = { at: server.at, signed: await signIn(server.at) };
      const effect = await prepared.effect(again);
      const where = `${name}, killed ${turns === "after the answer" ? turns : `after ${turns} turns`}`;
      if (answer !== null) {
        expect(answer, where).toMatch(/^20[04] /);
        expect(effect, where).toBe(1);
        counts.answered++;
      } else {
        expect([0, 1], where).toContain(effect);
        counts[effect === 1 ? "done" : "lost"]++;
      }
      if (prepared.key !== undefined) await expectOnce(again, prepared, answer);
    }
  }
  const done = await server.stop();
  expect(done.status).toBe(0);
  expect(readdirSync(cwd).filter((entry) => entry.endsWith(".lock"))).toEqual([]);
  expect(counts.answered).toBeGreaterThanOrEqual(KINDS.length);
  console.info(`seed ${SEED}: ${JSON.stringify(counts)}`);
});

/** The same command again: once in all, with the answer that was given. */
async function expectOnce(place: Place, prepared: PreparedCall, answer: string | null): Promise<void> {
  const headers = { ...place.signed.headers, "idempotency-key": String(prepared.key) };
  const { status, text } = await requestJson("POST", urlOf(place, prepared.path), prepared.body, headers);
  if (answer !== null) expect(`${status} ${text}`).toBe(answer);
  expect([status, await prepared.effect(place)]).toEqual([200, 1]);
}
