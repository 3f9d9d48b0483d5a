// What a trainee can see of a served session, as texts that can be compared between two sessions.
import { once } from "node:events";
import { type RawData, WebSocket } from "ws";
import { ROUTES } from "../../../src/api/endpoints/routes.ts";
import { createSandboxAccess } from "../../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxDescription } from "../../../src/api/http/sandbox/sandboxDocument.ts";
import { sandboxPlugin, sandboxRole } from "../../../src/api/http/sandbox/sandboxPlugin.ts";
import type { ServedScenario } from "../../../src/live/session/servedScenario.ts";
import { calmServedScenario, START } from "../../session/tinyScenario.ts";
import { type LiveServer, startLiveServer } from "../liveServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };
const NAMES = ["east", "battery-1", "battery-2", "plant"] as const;
const PREFIXES = { "vpp-v1": "/v1/vpp/", "site-v2": "/v2/ems/", "site-v1": "/v1/ems/" };
/** Headers that tell the time and the connection of the machine. */
const MACHINE_HEADERS = new Set(["date", "connection", "keep-alive"]);
/** Lines of /metrics about the machine. */
const MACHINE_METRICS = /^(?:process_|nodejs_|vppsim_event_loop_|vppsim_http_request_seconds_(?:bucket|sum)).*\n/gm;

const requestOf = (method: string, body: object | undefined, headers: Readonly<Record<string, string>>): RequestInit =>
  body === undefined
    ? { method, headers }
    : { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };

/** A reader of telemetry that resumes where it stopped. */
class Reader {
  readonly messages: string[] = [];
  private readonly url: string;
  private readonly authorization: string;
  private socket: WebSocket | null = null;
  private session = "";
  private lastSeq = 0;
  private recordedClocks = 0;
  private wake: () => void = () => {};

  constructor(url: string, authorization: string) {
    this.url = url;
    this.authorization = authorization;
  }

  async connect(): Promise<void> {
    const resumption = this.session === "" ? "" : `?session=${this.session}&last_seq=${this.lastSeq}`;
    const headers = { authorization: this.authorization };
    this.socket = new WebSocket(this.url + resumption, { headers });
    this.socket.on("message", (data) => this.receive(data));
    await once(this.socket, "open");
  }

  async disconnect(): Promise<void> {
    const socket = this.socket;
    if (socket === null) return;
    socket.close();
    await once(socket, "close");
  }

  terminate(): void {
    this.socket?.terminate();
  }

  /** Waits for the n-th message about the clock. */
  async clocks(count: number): Promise<void> {
    while (this.recordedClocks < count) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private receive(data: RawData): void {
    const text = String(data);
    const { seq, type, session } = JSON.parse(text) as { seq: number; type: string; session?: string };
    this.lastSeq = seq;
    if (session !== undefined) this.session = session;
    if (type === "clock") this.recordedClocks++;
    this.messages.push(session === undefined ? text : text.replace(session, "<session>"));
    this.wake();
  }
}

/** Headers of the VPP and each site, by name. */
type SignedHolders = ReadonlyMap<string, { readonly authorization: string }>;

/** A separated session and its trainee, whose views are kept in order. */
export class TraineeStation {
  readonly live: LiveServer;
  /** Paths of the sandbox with GET, from the server. */
  readonly sandboxGets: ReadonlySet<string>;
  private readonly readers: readonly Reader[];
  private readonly signed: SignedHolders;
  private clockCount = 0;

  private constructor(live: LiveServer, sandboxGets: ReadonlySet<string>, signed: SignedHolders) {
    this.live = live;
    this.sandboxGets = sandboxGets;
    this.signed = signed;
    this.readers = NAMES.map((name) => {
      const prefix = name === "east" ? PREFIXES["vpp-v1"] : PREFIXES["site-v2"];
      const url = `${live.baseUrl.replace("http", "ws")}${prefix}${live.idOf(name)}/telemetry`;
      return new Reader(url, signed.get(name)!.authorization);
    });
  }

  static async open(served: ServedScenario = calmServedScenario()): Promise<TraineeStation> {
    const sandboxGets = new Set<string>();
    const live = await startLiveServer((session) => {
      const { signingKey } = session;
      const access = createSandboxAccess({ signingKey, sandboxToken: null, instructorToken: "teacher" });
      return {
        isSeparated: true,
        readerOf: (request) => sandboxRole(request, access),
        descriptions: [sandboxDescription(session)],
        plugins: [
          (base, _options, done) => {
            base.addHook("onRoute", ({ method, url }) => {
              if (method === "GET") sandboxGets.add(url);
            });
            base.register(sandboxPlugin, { session, access, report: "reports/never-written" });
            done();
          },
        ],
      };
    }, served);
    const signed = new Map<string, { readonly authorization: string }>();
    for (const name of NAMES) signed.set(name, await live.signIn(name));
    const station = new TraineeStation(live, sandboxGets, signed);
    for (const reader of station.readers) await reader.connect();
    return station;
  }

  async close(): Promise<void> {
    for (const reader of this.readers) reader.terminate();
    await this.live.close();
  }

  /** An instructor's call. @returns status and body */
  async instruct(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(this.live.baseUrl + path, requestOf(method, body, INSTRUCTOR));
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
  }

  /** A trainee's call: status, headers and body as text. */
  async call(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
    const answer = await fetch(this.live.baseUrl + path, requestOf(method, body, headers));
    const text = await answer.text();
    const shown = path === "/metrics" ? text.replace(MACHINE_METRICS, "") : text;
    const named = [...answer.headers]
      .filter(([name]) => !MACHINE_HEADERS.has(name) && !(path === "/metrics" && name === "content-length"))
      .map(([name, value]) => `${name}: ${value}`);
    return this.withoutPorts(`${answer.status}\n${named.join("\n")}\n${shown}`);
  }

  private withoutPorts(text: string): string {
    const { baseUrl, authUrl } = this.live;
    return text.replaceAll(new URL(baseUrl).host, "<base>").replaceAll(new URL(authUrl).host, "<auth>");
  }

  /** Advances the clock as the trainee, and waits until every reader has all messages. */
  async advance(to: string): Promise<void> {
    await this.advanceAlone(to);
    for (const reader of this.readers) await reader.clocks(this.clockCount);
  }

  /** The same without waiting for readers. */
  async advanceAlone(to: string): Promise<void> {
    const answer = await this.call("POST", "/sandbox/clock/advance", { to });
    if (!answer.startsWith("200")) throw new Error(answer);
    this.clockCount++;
  }

  /** Telemetry of every reader until now, each message by its place; one of the clock ends it. */
  async telemetry(): Promise<Record<string, string>> {
    await this.advance(this.live.session.clock().now);
    for (const { messages } of this.readers)
      messages.forEach((text, k) => {
        if (JSON.parse(text).seq !== k + 1) throw new Error(`number ${k + 1} is missing before ${text}`);
      });
    return Object.fromEntries(
      this.readers.flatMap(({ messages }, k) => messages.map((text, place) => [`${NAMES[k]} ${place}`, text])),
    );
  }

  /** Loses every connection, lets something happen, and resumes. */
  async interrupted(meanwhile: () => Promise<void>): Promise<void> {
    for (const reader of this.readers) await reader.disconnect();
    await meanwhile();
    for (const reader of this.readers) await reader.connect();
  }

  /** Answers to all reads, by GET and by POST, by path. */
  async everyRead(): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    const read = async (path: string, headers: Readonly<Record<string, string>> = {}, body?: object): Promise<void> => {
      const name = `${path} ${body === undefined ? "" : JSON.stringify(body)}`;
      answers[name] = await this.call(body === undefined ? "GET" : "POST", path, body, headers);
    };
    const now = this.live.session.clock().now;
    const day = `start_time=${START}&end_time=${now}`;
    const past = { start_time: START, end_time: now };
    for (const name of NAMES) {
      const headers = this.signed.get(name)!;
      for (const route of Object.values(ROUTES).flat()) {
        const own = `${PREFIXES[route.api]}${this.live.idOf(name)}${route.path}`;
        const path = own.replace(/\{ems_id\}/, this.live.idOf("battery-2")).replace(/\{\w+\}/g, "x");
        if (route.method === "GET") {
          await read(path, headers);
          if (now !== START) await read(`${path}?${day}`, headers);
        } else if (!route.isCommand && now !== START)
          for (const more of [{ interval_seconds: 60 }, { interval_seconds: 1800, include_components: true }])
            await read(path, headers, { ...past, ...more });
      }
    }
    for (const url of this.sandboxGets) {
      const path = url.replace(":name", "east").replace("awards/:id", "awards/A").replace(":file", "summary.json");
      await read(path.replace(/:\w+/g, "fault-1"));
    }
    for (const query of ["after=0&limit=2000", "after=3", "limit=1"]) await read(`/sandbox/events?${query}`);
    const preview = { sku: null, power_kw: -150, starts_at: START, ends_at: "2026-04-01T05:00:00Z" };
    await read("/sandbox/vpps/east/preview", {}, preview);
    await read("/sandbox/vpps/east/preview", {}, { ...preview, starts_at: "2026-04-01T04:30:00Z" });
    for (const id of ["B", "none"]) await read(`/sandbox/awards/${id}/story`);
    await read("/sandbox/vpps/east/power?max_points=5000");
    for (const path of [
      "/openapi/sandbox.json",
      "/openapi/vpp-v1.json",
      "/openapi/site-v2.json",
      "/openapi/site-v1.json",
    ])
      await read(path);
    for (const path of ["/asyncapi.json", "/docs", "/health", "/metrics"]) await read(path);
    return answers;
  }

  /** Answers to commands of a trainee: accepted, refused, repeated, and of things that may or may not exist. */
  async everyCommand(): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    const send = async (name: string, method: string, path: string, body?: object, key?: string): Promise<void> => {
      const of = /^\/v\d\/(?:vpp|ems)\/(\w+)/.exec(path)?.[1];
      const holder = NAMES.find((each) => this.live.idOf(each) === of);
      const headers = {
        ...(holder && this.signed.get(holder)),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      };
      answers[`${name} at ${this.live.session.clock().now}`] = await this.call(method, path, body, headers);
    };
    const idOf = (name: string): string => this.live.idOf(name);
    const vpp = `/v1/vpp/${idOf("east")}`;
    const member_baselines = NAMES.slice(1).map((name) => ({ ems_id: idOf(name), baseline_kw: 0 }));
    const schedule = {
      type: "schedule",
      sku: "frr",
      delta_kw: -120,
      start_time: "2026-04-01T03:00:00Z",
      end_time: "2026-04-01T03:30:00Z",
      member_baselines,
    };
    const immediate = { type: "immediate", delta_kw: -50, duration_minutes: 5 };
    await send("schedule", "POST", `${vpp}/control/active_power`, schedule, "k1");
    await send("schedule again", "POST", `${vpp}/control/active_power`, schedule, "k1");
    await send("immediate", "POST", `${vpp}/control/active_power`, { ...immediate, member_baselines });
    await send("weight", "POST", `${vpp}/members/${idOf("battery-2")}`, { allocation_weight: 70 });
    await send("unknown schedule", "DELETE", `${vpp}/control/active_power/schedules?schedule_id=${"0".repeat(32)}`);
    for (const name of NAMES.slice(1)) {
      const times = { start_time: "2026-04-01T05:00:00Z", end_time: "2026-04-01T05:30:00Z" };
      const order = { type: "schedule", delta_kw: -20, ...times };
      await send(`${name} schedule`, "POST", `/v2/ems/${idOf(name)}/control/active_power`, order);
    }
    const ids = ["fault-1", "fault-99"];
    for (const id of ids) await send(id, "DELETE", `/sandbox/faults/${id}`);
    for (const id of ["inject-1", "inject-99"]) await send(id, "DELETE", `/sandbox/injects/${id}`);
    for (const path of ["faults", "injects", "checkpoints", "notes", "reset", "export", "report", "credentials/revoke"])
      await send(path, "POST", `/sandbox/${path}`, {});
    await send("own action", "POST", "/sandbox/actions", { kind: "acknowledged", text: "a" });
    await send("owner", "POST", "/sandbox/owner-calls", { site: "battery-2" });
    return answers;
  }
}
