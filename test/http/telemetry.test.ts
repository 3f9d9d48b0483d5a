import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ACCESS_TOKEN_SECONDS, AccessTokens } from "../../src/api/http/auth/accessTokens.ts";
import { CheckedFetch } from "./checkedFetch.ts";
import { fleetDay } from "./fleetDay.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

interface Message {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

let live: LiveServer;
const open: WebSocket[] = [];
beforeEach(async () => {
  live = await startLiveServer();
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  await live.close();
});

const START_MS = Date.parse("2026-04-01T00:00:00Z");
const minutes = (count: number) => () => START_MS + 60_000 * count;

/** A reader of a VPP's or a site's telemetry, and its messages. */
async function read(name: string, subscribe: object | null = null) {
  const kind = name === "east" ? "v1/vpp" : "v2/ems";
  const { authorization } = await live.signIn(name);
  const url = `${live.baseUrl.replace("http", "ws")}/${kind}/${live.idOf(name)}/telemetry`;
  const socket = new WebSocket(url, { headers: { authorization } });
  open.push(socket);
  const messages: Message[] = [];
  socket.on("message", (data) => messages.push(JSON.parse(String(data))));
  await once(socket, "message");
  if (subscribe !== null) {
    socket.send(JSON.stringify({ type: "subscribe", ...subscribe }));
    await settle(socket);
  }
  return { socket, messages, settle: () => settle(socket) };
}

/** Waits until both sides have read everything sent before. */
async function settle(socket: WebSocket): Promise<void> {
  socket.ping();
  await once(socket, "pong");
}

test("an alarm of the VPP comes to its readers at each change, with what happened", async () => {
  const { messages, settle: settled } = await read("east", { types: ["alarm"] });
  await live.session.advance(minutes(70));
  await live.session.beginFault({ kind: "outage", site: "battery-1", durationMs: null });
  await live.session.advance(minutes(71));
  await live.session.advance(minutes(75));
  const [alarm] = live.session.hosted.alarmBoard.list.filter(({ condition }) => condition.site === "battery-1");
  await live.session.alarms.acknowledge(`alarm-${alarm.number}`, { by: "trainee", name: null });
  await settled();
  const ofBattery = messages.filter(({ type, data }) => type === "alarm" && data.site === "battery-1");
  expect(ofBattery.map(({ at, data }) => [at, data.what, data.state, data.kind])).toEqual([
    ["2026-04-01T01:11:00Z", "raised", "new", "out_of_service"],
    ["2026-04-01T01:15:00Z", "acknowledged", "acknowledged", "out_of_service"],
  ]);
  expect(ofBattery[0].data).toMatchObject({ text: "battery-1 is out of service", vpp: "east" });
});

const shortly = ({ type, at, data }: Message): string =>
  `${at.slice(11, 19)} ${type} ${[data.ems_id ?? "", data.status ?? "", data.state ?? "", data.kind ?? "", data.mode ?? ""].filter((part) => part !== "").join(" ")}`;

describe("the opening of telemetry", () => {
  const path = (name: string) => `/${name === "east" ? "v1/vpp" : "v2/ems"}/${live.idOf(name)}/telemetry`;

  /** The answer to an upgrade. */
  function attempt(
    url: string,
    headers: Record<string, string> = {},
    protocols: string[] = [],
  ): Promise<{ status: number; body: unknown; headers: Record<string, unknown> }> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(live.baseUrl.replace("http", "ws") + url, protocols, { headers });
      open.push(socket);
      socket.on("open", () => resolve({ status: 101, body: socket.protocol, headers: {} }));
      socket.on("error", reject);
      socket.on("unexpected-response", (_request, response) => {
        let text = "";
        response.on("data", (data) => {
          text += data;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), headers: response.headers }),
        );
      });
    });
  }

  test("takes the token in the header or as a subprotocol", async () => {
    const { authorization } = await live.signIn("east");
    const token = authorization.slice("Bearer ".length);
    expect(await attempt(path("east"), { authorization })).toMatchObject({ status: 101 });
    expect(await attempt(path("east"), {}, ["bearer", token])).toMatchObject({ status: 101, body: "bearer" });
  });

  test.each<
    [string, number, string, (tokens: { east: string; plant: string }) => [string, Record<string, string>, string[]]]
  >([
    ["no token", 401, "authentication_error", () => [path("east"), {}, []]],
    ["a wrong subprotocol token", 401, "authentication_error", () => [path("east"), {}, ["bearer", "x.y.z"]]],
    ["a token under another name", 401, "authentication_error", ({ east }) => [path("east"), {}, ["token", east]]],
    [
      "a token of another id",
      403,
      "permission_denied",
      ({ plant }) => [path("east"), { authorization: `Bearer ${plant}` }, []],
    ],
    [
      "an unknown id",
      404,
      "vpp_not_found",
      ({ east }) => [`/v1/vpp/${"0".repeat(32)}/telemetry`, { authorization: `Bearer ${east}` }, []],
    ],
    [
      "a path without telemetry",
      404,
      "endpoint_not_found",
      ({ east }) => [path("east").replace("telemetry", "status"), { authorization: `Bearer ${east}` }, []],
    ],
    [
      "site API v1",
      404,
      "",
      ({ plant }) => [path("plant").replace("v2", "v1"), { authorization: `Bearer ${plant}` }, []],
    ],
  ])("is refused with %s: %i", async (_, status, errorType, callOf) => {
    const tokens = {
      east: (await live.signIn("east")).authorization.slice(7),
      plant: (await live.signIn("plant")).authorization.slice(7),
    };
    const [url, headers, protocols] = callOf(tokens);
    const answer = await attempt(url, { ...headers, "x-request-id": "t-1" }, protocols);
    expect(answer.status).toBe(status);
    const id = url.split("/")[3];
    const key = url.includes("vpp") ? "vpp_id" : "ems_id";
    const expected = errorType === "" ? { code: status } : { code: status, error_type: errorType };
    expect(answer.body).toMatchObject({ [key]: id, error: expected, timestamp: "2026-04-01T00:00:00Z" });
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": "1000",
      "x-request-id": "t-1",
    });
  });

  test("with an invalid handshake is refused in the envelope", async () => {
    const { authorization } = await live.signIn("east");
    const headers = { authorization, connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const upgrade = request(live.baseUrl + path("east"), { headers }).end();
    const [response] = (await once(upgrade, "response")) as [IncomingMessage];
    let text = "";
    for await (const part of response) text += String(part);
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ vpp_id: live.idOf("east"), error: { code: 400 } });
  });
});

describe("telemetry", () => {
  test("begins with the summary status, which counts against no limit", async () => {
    const { messages } = await read("east");
    const headers = await live.signIn("east");
    const answer = await fetch(`${live.baseUrl}/v1/vpp/${live.idOf("east")}/status`, { headers });
    const data = await answer.json();
    expect(messages).toEqual([
      { seq: 1, session: expect.any(String), type: "hello", at: "2026-04-01T00:00:00Z", data },
    ]);
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("999");
  });

  test("sends the status on whole multiples of the interval, as a caller would have read it then", async () => {
    const { messages, settle } = await read("east", { types: ["status"], interval_seconds: 600 });
    await live.session.advance(() => START_MS + 250_000);
    await live.session.advance(minutes(25));
    await settle();
    expect(messages.slice(1).map(shortly)).toEqual(["00:10:00 status 0", "00:20:00 status 0"]);
    expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(messages[2].data.timestamp).toBe("2026-04-01T00:20:00Z");
    // The same instant in a world without telemetry readers.
    const other = await startLiveServer();
    await other.session.advance(minutes(20));
    const answer = await fetch(`${other.baseUrl}/v1/vpp/${other.idOf("east")}/status`, {
      headers: await other.signIn("east"),
    });
    expect(messages[2].data).toEqual(await answer.json());
    await other.close();
  });

  test("sends no second status of the instant of its hello, which would reveal a command", async () => {
    const { messages, settle } = await read("east", { types: ["status"] });
    await live.session.beginFault({ kind: "warning", site: "plant", durationMs: null });
    await live.session.reset();
    await live.session.beginFault({ kind: "warning", site: "plant", durationMs: null });
    await settle();
    expect(messages.map(({ type }) => type)).toEqual(["hello", "hello"]);
  });

  test("sends a fault, the site that it affects, and the clock", async () => {
    const vpp = await read("east", { types: ["fault", "member_status", "clock"] });
    const site = await read("plant", { types: ["fault", "member_status"] });
    const other = await read("battery-1", { types: ["fault", "member_status"] });
    await live.session.advance(minutes(1));
    const { fault_id } = await live.session.beginFault({ kind: "outage", site: "plant", durationMs: null });
    await live.session.advance(minutes(2));
    await live.session.endFault(fault_id);
    const plant = live.idOf("plant");
    const happened = [
      `00:01:00 member_status ${plant} 9`,
      "00:01:00 fault outage",
      `00:02:00 member_status ${plant} 0`,
      "00:02:00 fault outage",
    ];
    const received = ({ messages }: typeof vpp) => messages.slice(1).map(shortly);
    await expect.poll(() => received(vpp).filter((text) => !text.includes("clock"))).toEqual(happened);
    await expect.poll(() => received(site)).toEqual(happened);
    await other.settle();
    expect(other.messages.length).toBe(1);
    const faults = vpp.messages.filter(({ type }) => type === "fault").map(({ data }) => data);
    expect(faults[0]).toMatchObject({ fault_id, site: "plant", starts_at: "2026-04-01T00:01:00Z", ends_at: null });
    expect(faults[1]).toMatchObject({ fault_id, ends_at: "2026-04-01T00:02:00Z" });
    expect(vpp.messages.map(({ seq }) => seq)).toEqual(vpp.messages.map((_, k) => k + 1));
  });

  test("sends schedules and instructions as the APIs' own records", async () => {
    const { messages, settle } = await read("east", { types: ["schedule", "instruction"] });
    const { fetch: checked } = new CheckedFetch(live.baseUrl);
    const headers = { ...(await live.signIn("east")), "content-type": "application/json" };
    const url = `${live.baseUrl}/v1/vpp/${live.idOf("east")}/control/active_power`;
    const member_baselines = ["battery-1", "battery-2", "plant"].map((name) => ({
      ems_id: live.idOf(name),
      baseline_kw: name === "plant" ? 300 : 0,
    }));
    const post = async (body: object) =>
      (
        await checked(url, { method: "POST", headers, body: JSON.stringify({ ...body, member_baselines }) })
      ).json() as Promise<Record<string, unknown>>;
    const immediate = await post({ type: "immediate", delta_kw: -30, duration_minutes: 5 });
    const times = { start_time: "2026-04-01T00:10:00Z", end_time: "2026-04-01T00:20:00Z" };
    const { schedule_id } = await post({ type: "schedule", delta_kw: -50, ...times });
    const later = { start_time: "2026-04-01T03:00:00Z", end_time: "2026-04-01T03:20:00Z" };
    const second = await post({ type: "schedule", delta_kw: -60, ...later });
    await live.session.advance(minutes(21));
    const removed = await checked(`${url}/schedules?schedule_id=${String(second.schedule_id)}`, {
      method: "DELETE",
      headers: await live.signIn("east"),
    });
    expect(removed.status).toBe(200);
    await settle();
    const instruction = messages.filter(({ type }) => type === "instruction");
    expect(instruction.map(({ data }) => data)).toEqual([immediate]);
    const ids = messages
      .filter(({ type }) => type === "schedule")
      .map(
        ({ at, data }) =>
          `${at.slice(11, 16)} ${String(data.schedule_id)} ${String(data.state)} ${String(data.delta_kw)}`,
      );
    expect(ids).toEqual([
      `00:00 ${String(schedule_id)} pending -50`,
      `00:00 ${String(second.schedule_id)} pending -60`,
      `00:10 ${String(schedule_id)} running -50`,
      `00:20 ${String(schedule_id)} completed -50`,
      `00:21 ${String(second.schedule_id)} deleted -60`,
    ]);
  });

  test("sends the pieces of a divided schedule as schedules of their own, as the list has them", async () => {
    const { messages, settle } = await read("east", { types: ["schedule"] });
    const headers = { ...(await live.signIn("east")), "content-type": "application/json" };
    const url = `${live.baseUrl}/v1/vpp/${live.idOf("east")}/control/active_power`;
    const member_baselines = ["battery-1", "battery-2", "plant"].map((name) => ({
      ems_id: live.idOf(name),
      baseline_kw: name === "plant" ? 300 : 0,
    }));
    const post = async (from: string, to: string, delta_kw: number) => {
      const times = { start_time: `2026-04-01T${from}:00Z`, end_time: `2026-04-01T${to}:00Z` };
      const body = JSON.stringify({ type: "schedule", delta_kw, ...times, member_baselines });
      await fetch(url, { method: "POST", headers, body });
    };
    await post("00:05", "00:20", -50);
    await post("00:10", "00:12", -20);
    const listed = (await (await fetch(`${url}/schedules`, { headers })).json()) as {
      readonly schedules: readonly { readonly schedule_id: string; readonly start_time: string }[];
    };
    const [front, inserted, rear] = listed.schedules.map(({ schedule_id }) => schedule_id);
    await live.session.advance(minutes(21));
    await settle();
    const received = messages
      .filter(({ type }) => type === "schedule")
      .map(({ at, data }) => {
        const [from, to] = [data.start_time, data.end_time].map((time) => String(time).slice(11, 16));
        return `${at.slice(11, 16)} ${String(data.schedule_id)} ${from} ${to} ${String(data.delta_kw)} ${String(data.state)}`;
      });
    expect(received).toEqual([
      `00:00 ${front} 00:05 00:20 -50 pending`,
      `00:00 ${front} 00:05 00:10 -50 pending`,
      `00:00 ${rear} 00:12 00:20 -50 pending`,
      `00:00 ${inserted} 00:10 00:12 -20 pending`,
      `00:05 ${front} 00:05 00:10 -50 running`,
      `00:10 ${front} 00:05 00:10 -50 completed`,
      `00:10 ${inserted} 00:10 00:12 -20 running`,
      `00:12 ${inserted} 00:10 00:12 -20 completed`,
      `00:12 ${rear} 00:12 00:20 -50 running`,
      `00:20 ${rear} 00:12 00:20 -50 completed`,
    ]);
  });

  test("sends awards of the scenario as the list has them", async () => {
    await live.close();
    live = await startLiveServer({}, fleetDay(2));
    const { messages, settle } = await read("east", { types: ["schedule"] });
    await live.session.advance(minutes(151));
    await settle();
    const url = `${live.baseUrl}/v1/vpp/${live.idOf("east")}/control/active_power/schedules`;
    const listed = (await (await fetch(url, { headers: await live.signIn("east") })).json()) as {
      readonly schedules: readonly object[];
    };
    expect(messages.slice(1)).toMatchObject([
      { type: "schedule", at: "2026-04-01T01:00:00Z", data: { ...listed.schedules[0], state: "running" } },
      { type: "schedule", at: "2026-04-01T02:30:00Z", data: { ...listed.schedules[0], state: "completed" } },
    ]);
  });

  test("sends a site its owner's schedules and its VPP's, from their registration on", async () => {
    const { messages, settle } = await read("battery-1", { types: ["schedule"] });
    const headers = (name: string) =>
      live.signIn(name).then((token) => ({ ...token, "content-type": "application/json" }));
    const times = (hour: number) => ({
      start_time: `2026-04-01T0${hour}:00:00Z`,
      end_time: `2026-04-01T0${hour}:20:00Z`,
    });
    const path = "control/active_power";
    const mine = `${live.baseUrl}/v2/ems/${live.idOf("battery-1")}/${path}`;
    const post = async (url: string, name: string, body: object) => {
      const answer = await fetch(url, { method: "POST", headers: await headers(name), body: JSON.stringify(body) });
      return String(((await answer.json()) as Record<string, unknown>).schedule_id);
    };
    const member_baselines = ["battery-1", "battery-2", "plant"].map((name) => ({
      ems_id: live.idOf(name),
      baseline_kw: 0,
    }));
    const own = await post(mine, "battery-1", { type: "schedule", delta_kw: -10, ...times(3) });
    const body = { type: "schedule", sku: "rr", delta_kw: -90, ...times(4), member_baselines };
    const vpps = await post(`${live.baseUrl}/v1/vpp/${live.idOf("east")}/${path}`, "east", body);
    for (const id of [own, vpps])
      await fetch(`${mine}/schedules?schedule_id=${id}`, { method: "DELETE", headers: await live.signIn("battery-1") });
    await settle();
    const received = messages
      .filter(({ type }) => type === "schedule")
      .map(({ data }) => [data.schedule_id, data.state]);
    expect(received).toEqual([
      [own, "pending"],
      [vpps, "pending"],
      [own, "deleted"],
      [vpps, "deleted"],
    ]);
  });

  test("sends a site the schedules that a later one cuts, divides or deletes, and their starts and ends", async () => {
    const { messages, settle } = await read("battery-1", { types: ["schedule"] });
    const url = `${live.baseUrl}/v2/ems/${live.idOf("battery-1")}/control/active_power`;
    const headers = { ...(await live.signIn("battery-1")), "content-type": "application/json" };
    const post = async (from: string, to: string, delta_kw: number) => {
      const times = { start_time: `2026-04-01T${from}:00Z`, end_time: `2026-04-01T${to}:00Z` };
      const body = JSON.stringify({ type: "schedule", delta_kw, ...times });
      await fetch(url, { method: "POST", headers, body });
    };
    await post("00:05", "00:20", -10);
    await post("00:10", "00:12", -20);
    await post("00:04", "00:06", -30);
    await post("00:12", "00:20", -40);
    await live.session.advance(minutes(21));
    await settle();
    const received = messages
      .filter(({ type }) => type === "schedule")
      .map(({ at, data }) => {
        const [from, to] = [data.start_time, data.end_time].map((time) => String(time).slice(14, 16));
        return `${at.slice(14, 16)} ${from}-${to} ${String(data.delta_kw)} ${String(data.state)}`;
      });
    expect(received).toEqual([
      "00 05-20 -10 pending",
      "00 05-10 -10 pending",
      "00 10-12 -20 pending",
      "00 12-20 -10 pending",
      "00 04-06 -30 pending",
      "00 06-10 -10 pending",
      "00 12-20 -40 pending",
      "04 04-06 -30 running",
      "06 04-06 -30 completed",
      "06 06-10 -10 running",
      "10 06-10 -10 completed",
      "10 10-12 -20 running",
      "12 10-12 -20 completed",
      "12 12-20 -40 running",
      "20 12-20 -40 completed",
    ]);
  });

  test("begins anew after a reset: clock, then hello with number 1", async () => {
    const { messages, settle } = await read("east", { types: ["clock", "member_status"] });
    await live.session.advance(minutes(3));
    const before = messages.length;
    await live.session.reset();
    await settle();
    const received = messages.slice(before);
    const last = received.slice(-2).map((message) => `${message.seq} ${shortly(message)}`);
    expect(last[0]).toMatch(/^\d+ 00:00:00 clock paused$/);
    expect(last[1]).toBe("1 00:00:00 hello 0");
    await live.session.beginFault({ kind: "outage", site: "plant", durationMs: null });
    await settle();
    expect(messages.at(-1)).toMatchObject({ seq: 2, type: "member_status" });
  });

  test.each([
    ["no JSON", "{"],
    ["another type", '{"type":"hello"}'],
    ["an unknown kind of message", '{"type":"subscribe","types":["weather"]}'],
    ["an interval of half a second", '{"type":"subscribe","interval_seconds":0.5}'],
    ["an unknown key", '{"type":"subscribe","every":60}'],
  ])("closes with the reason after a message of %s", async (_, text) => {
    const { socket } = await read("east");
    socket.send(text);
    const [code, reason] = await once(socket, "close");
    expect([code, String(reason).length > 10]).toEqual([1008, true]);
  });

  test("closes with code 4498 at the simulated instant at which its token expires", async () => {
    const tokens = new AccessTokens(live.session.signingKey);
    const holder = { kind: "vpp", id: live.idOf("east") } as const;
    // Issued so that 90 seconds of its 30 days are left.
    const { token } = tokens.issue(holder, START_MS + 90_000 - 1000 * ACCESS_TOKEN_SECONDS);
    const url = `${live.baseUrl.replace("http", "ws")}/v1/vpp/${holder.id}/telemetry`;
    const socket = new WebSocket(url, ["bearer", token]);
    open.push(socket);
    const received: Message[] = [];
    socket.on("message", (data) => received.push(JSON.parse(String(data))));
    await once(socket, "message");
    await live.session.advance(() => START_MS + 89_000);
    await settle(socket);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    const closed = once(socket, "close");
    await live.session.advance(minutes(3));
    expect((await closed).map(String)).toEqual(["4498", "token_expired"]);
    expect(received.filter(({ type }) => type === "status").map(({ at }) => at)).toEqual(["2026-04-01T00:01:00Z"]);
  });

  test("does not change the world", async () => {
    const other = await startLiveServer();
    await read("east", { interval_seconds: 37 });
    await read("plant", { interval_seconds: 41 });
    await live.session.advance(minutes(100));
    await other.session.advance(minutes(100));
    expect(live.session.stateHash()).toBe(other.session.stateHash());
    await other.close();
  });
});
