// Both stations, two clients of the APIs and two telemetry readers of one session, driven by actions of a random test.
import { once } from "node:events";
import fc from "fast-check";
import { WebSocket } from "ws";
import { createSandboxAccess } from "../../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../../src/api/http/sandbox/sandboxPlugin.ts";
import { isoUtc, MS_PER_MINUTE, MS_PER_SECOND } from "../../../src/base/time.ts";
import type { Drill } from "../../../src/live/drill/drill.ts";
import { LiveGrades } from "../../../src/live/drill/liveGrades.ts";
import type { ServedScenario } from "../../../src/live/session/servedScenario.ts";
import { ManualClock } from "../../session/manualClock.ts";
import { type LiveServer, startLiveServer } from "../liveServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };
const KINDS = ["outage", "maintenance", "link_down", "warning", "fcr_fault", "output_control"] as const;
/** In texts that the instructor writes, so that a trainee who reads one is found out. */
const SECRET = "instructors-secret";
/** What names a fault, a plan or a checkpoint as such. */
const HIDDEN = new RegExp(`${SECRET}|fault-\\d|inject-\\d|fault_id|inject_id|"type":"fault"|link_down|fcr_fault`);

const nth = fc.nat(7);
const minutes = fc.integer({ min: 1, max: 40 });
const kw = fc.integer({ min: -300, max: 300 });
const site = fc.nat(2);
const fault = fc.record({ kind: fc.constantFrom(...KINDS), site, minutes: fc.option(minutes) });

/** One action; sites, schedules, faults and checkpoints are chosen by number among those that there are. */
export type Action =
  | {
      readonly do: "schedule";
      readonly sku: string | null;
      readonly kw: number;
      readonly delay: number;
      readonly minutes: number;
      readonly key: number | null;
    }
  | { readonly do: "immediate"; readonly kw: number; readonly minutes: number; readonly key: number | null }
  | {
      readonly do: "site_schedule";
      readonly site: number;
      readonly kw: number;
      readonly delay: number;
      readonly minutes: number;
    }
  | { readonly do: "weight"; readonly site: number; readonly weight: number }
  | { readonly do: "delete"; readonly nth: number }
  | { readonly do: "fault"; readonly fault: Fault }
  | { readonly do: "inject"; readonly fault: Fault; readonly delay: number | null }
  | { readonly do: "end_fault" | "cancel_inject" | "restore" | "read" | "refused"; readonly nth: number }
  | { readonly do: "owner_call"; readonly site: number }
  | { readonly do: "advance" | "wall"; readonly seconds: number }
  | { readonly do: "resume"; readonly speed: number }
  | { readonly do: "disconnect" | "connect"; readonly nth: number }
  | { readonly do: "pause" | "checkpoint" | "reset" | "note" | "report" | "export" }
  | { readonly do: "together"; readonly actions: readonly Action[] };

interface Fault {
  readonly kind: (typeof KINDS)[number];
  readonly site: number;
  readonly minutes: number | null;
}

const key = fc.option(fc.nat(3), { freq: 2 });
const delay = fc.integer({ min: 1, max: 30 });
const single: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("schedule" as const),
      sku: fc.constantFrom(null, "frr", "rr", "exchange-da"),
      kw,
      delay,
      minutes,
      key,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("immediate" as const), kw, minutes, key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("site_schedule" as const), site, kw, delay, minutes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("weight" as const), site, weight: fc.nat(200) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), nth }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("fault" as const), fault }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("inject" as const), fault, delay: fc.option(delay) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("end_fault" as const, "cancel_inject" as const, "restore" as const, "refused" as const),
      nth,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("read" as const), nth: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("owner_call" as const), site }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("advance" as const), seconds: fc.integer({ min: 0, max: 2400 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("resume" as const), speed: fc.constantFrom(1, 60, 3600) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wall" as const), seconds: fc.integer({ min: 0, max: 3 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("disconnect" as const, "connect" as const), nth: fc.nat(1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("pause" as const, "checkpoint" as const, "note" as const, "export" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("reset" as const, "report" as const) }) },
);

/** Actions in turn, some of them at the same time. */
export const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: single },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("together" as const),
        actions: fc.array(single, { minLength: 2, maxLength: 4 }),
      }),
    },
  ),
  { minLength: 1, maxLength: 40, size: "max" },
);

/** Real time stands still until an action moves it; what waits for a turn of the event loop alone goes on. */
class StandingClock extends ManualClock {
  override schedule(delayMs: number, call: () => void): () => void {
    if (delayMs > 0) return super.schedule(delayMs, call);
    const waiting = setImmediate(call);
    return () => clearImmediate(waiting);
  }
}

/** A telemetry reader that resumes where it stopped, and checks that no number is missing without a word. */
class Reader {
  private readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;
  private socket: WebSocket | null = null;
  private session = "";
  private lastSeq = 0;
  private latest = "";
  private wake: () => void = () => {};
  private last: Promise<void> = Promise.resolve();
  /** What was wrong with the messages. */
  readonly problems: string[] = [];

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.url = url;
    this.headers = headers;
  }

  connect(): Promise<void> {
    return this.inTurn(() => this.open());
  }

  disconnect(): Promise<void> {
    return this.inTurn(() => this.close());
  }

  /** A connection is made whole before it is ended. */
  private inTurn(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step);
    return this.last;
  }

  private async open(): Promise<void> {
    if (this.socket !== null) return;
    const resumption = this.session === "" ? "" : `?session=${this.session}&last_seq=${this.lastSeq}`;
    const socket = new WebSocket(this.url + resumption, { headers: this.headers });
    this.socket = socket;
    socket.on("message", (data) => this.receive(String(data)));
    await once(socket, "open");
  }

  private async close(): Promise<void> {
    const socket = this.socket;
    this.socket = null;
    if (socket === null) return;
    socket.terminate();
    if (socket.readyState !== WebSocket.CLOSED) await once(socket, "close");
    socket.removeAllListeners("message");
  }

  /** Waits for a message about the clock at an instant. */
  async clockAt(now: string): Promise<void> {
    while (this.latest !== now) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private receive(text: string): void {
    const message = JSON.parse(text);
    if (HIDDEN.test(text)) this.problems.push(`names what is hidden: ${text}`);
    if (message.type === "hello") {
      if (message.seq !== 1) this.problems.push(`a hello with number ${message.seq}`);
      this.session = message.session;
    } else if (message.seq !== this.lastSeq + 1) this.problems.push(`${this.lastSeq} is followed by ${text}`);
    this.lastSeq = message.seq;
    if (message.type === "gap") {
      if (message.data.next_seq !== message.seq + message.data.dropped) this.problems.push(text);
      this.lastSeq = message.data.next_seq - 1;
    }
    if (message.type === "clock") this.latest = message.data.now;
    this.wake();
  }
}

/** A keyed command with its answer. */
interface Keyed {
  readonly text: string;
  readonly body: string;
  /** Restores and resets before it: an answer belongs to its branch. */
  readonly rewinds: number;
}

/** A separated session with everybody who uses it. */
export class Stations {
  readonly live: LiveServer;
  readonly wall: ManualClock;
  readonly problems: string[] = [];
  private readonly readers: readonly Reader[];
  private readonly headers: ReadonlyMap<string, { readonly authorization: string }>;
  private readonly siteNames: readonly string[];
  private readonly vpp: string;
  private readonly keyed = new Map<number, Keyed>();
  private rewinds = 0;

  private constructor(
    live: LiveServer,
    wall: ManualClock,
    headers: ReadonlyMap<string, { readonly authorization: string }>,
  ) {
    this.live = live;
    this.wall = wall;
    this.headers = headers;
    const { sites, vpps } = live.session.scenario.world;
    this.siteNames = sites.slice(0, 3).map(({ name }) => name);
    this.vpp = vpps[0].name;
    this.readers = [this.vpp, this.siteNames[0]].map((name, k) => {
      const url = `${live.baseUrl.replace("http", "ws")}${k === 0 ? "/v1/vpp" : "/v2/ems"}/${live.idOf(name)}/telemetry`;
      return new Reader(url, headers.get(name)!);
    });
  }

  static async open(
    served: ServedScenario,
    { report, drill = null }: { readonly report: string; readonly drill?: Drill | null },
  ): Promise<Stations> {
    const wall = new StandingClock();
    const grades = drill === null ? {} : { grades: new LiveGrades(drill, { place: "here" }) };
    const live = await startLiveServer(
      (session) => {
        const access = createSandboxAccess({
          signingKey: session.signingKey,
          sandboxToken: null,
          instructorToken: "teacher",
          ...(drill === null ? {} : { traineeMay: () => drill.may }),
        });
        return {
          rateLimits: "off",
          isSeparated: true,
          plugins: [
            (server, _options, done) => {
              server.register(sandboxPlugin, { session, access, report, ...grades });
              done();
            },
          ],
        };
      },
      served,
      { wallClock: wall, ...(drill === null ? {} : { openAtMs: drill.startMs }) },
    );
    const { sites, vpps } = live.session.scenario.world;
    const names = [...vpps, ...sites.slice(0, 3)].map(({ name }) => name);
    const headers = new Map(await Promise.all(names.map(async (name) => [name, await live.signIn(name)] as const)));
    const stations = new Stations(live, wall, headers);
    for (const reader of stations.readers) await reader.connect();
    return stations;
  }

  async close(): Promise<void> {
    for (const reader of this.readers) await reader.disconnect();
    await this.live.close();
  }

  get nowMs(): number {
    return this.live.session.nowMs;
  }

  /** Whole minutes from now. */
  private in(minutes: number): string {
    return isoUtc(Math.ceil(this.nowMs / MS_PER_MINUTE) * MS_PER_MINUTE + minutes * MS_PER_MINUTE);
  }

  private async fetch(
    method: string,
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
  ) {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
    const answer = await fetch(this.live.baseUrl + path, { method, headers: typed, ...content });
    const text = await answer.text();
    if (answer.status >= 500 && answer.status !== 503)
      this.problems.push(`${method} ${path}: ${answer.status} ${text}`);
    return { status: answer.status, text };
  }

  /** A trainee's call, whose answer must not name what is hidden. */
  async trainee(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
    const answer = await this.fetch(method, path, body, headers);
    const found = HIDDEN.exec(answer.text);
    if (found !== null) this.problems.push(`${method} ${path} names ${found[0]}`);
    return answer;
  }

  instructor(method: string, path: string, body?: object) {
    return this.fetch(method, path, body, INSTRUCTOR);
  }

  /** Something of a list of the instructor, by number; `undefined`: the list is empty. */
  private async listed(
    name: "faults" | "injects" | "checkpoints",
    id: string,
    nth: number,
  ): Promise<string | undefined> {
    const { text } = await this.instructor("GET", `/sandbox/${name}`);
    const list = JSON.parse(text)[name] as Record<string, string>[];
    return list[nth % Math.max(1, list.length)]?.[id];
  }

  private vppPath(path: string): string {
    return `/v1/vpp/${this.live.idOf(this.vpp)}${path}`;
  }

  private ofSite(index: number): string {
    return this.siteNames[index % this.siteNames.length];
  }

  private async control(body: object, keyNumber: number | null): Promise<void> {
    const { sites } = this.live.session.scenario.world;
    const member_baselines = sites.map(({ emsId }) => ({ ems_id: emsId, baseline_kw: 0 }));
    const path = this.vppPath("/control/active_power");
    const headers = { ...this.headers.get(this.vpp) };
    if (keyNumber === null) return void (await this.trainee("POST", path, { ...body, member_baselines }, headers));
    const rewinds = this.rewinds;
    const earlier = this.keyed.get(keyNumber);
    const isRepeated = earlier !== undefined && earlier.rewinds === rewinds;
    const sent = isRepeated ? JSON.parse(earlier.body) : { ...body, member_baselines };
    const { status, text } = await this.trainee("POST", path, sent, {
      ...headers,
      "idempotency-key": `key-${keyNumber}`,
    });
    if (this.rewinds !== rewinds) return void this.keyed.delete(keyNumber);
    if (isRepeated && text !== earlier.text)
      this.problems.push(`the answer to key ${keyNumber} was ${earlier.text} and is ${text}`);
    if (status === 200 && !isRepeated && !this.keyed.has(keyNumber))
      this.keyed.set(keyNumber, { text, body: JSON.stringify(sent), rewinds });
  }

  private async rewind(path: string): Promise<void> {
    this.rewinds++;
    await this.instructor("POST", path, {});
    this.rewinds++;
    this.keyed.clear();
  }

  private faultBody({ kind, site, minutes }: Fault): object {
    return {
      kind,
      site: this.ofSite(site),
      ...(minutes === null ? {} : { duration: `PT${minutes}M` }),
      ...(kind === "output_control" ? { limit_pct: 20, reason: "other" } : {}),
    };
  }

  async act(action: Action): Promise<void> {
    switch (action.do) {
      case "together":
        return void (await Promise.all(action.actions.map((each) => this.act(each))));
      case "schedule": {
        const times = { start_time: this.in(action.delay), end_time: this.in(action.delay + action.minutes) };
        return this.control({ type: "schedule", sku: action.sku, delta_kw: action.kw, ...times }, action.key);
      }
      case "immediate":
        return this.control({ type: "immediate", delta_kw: action.kw, duration_minutes: action.minutes }, action.key);
      case "site_schedule": {
        const name = this.ofSite(action.site);
        const times = { start_time: this.in(action.delay), end_time: this.in(action.delay + action.minutes) };
        const body = { type: "schedule", delta_kw: action.kw, ...times };
        return void (await this.trainee(
          "POST",
          `/v2/ems/${this.live.idOf(name)}/control/active_power`,
          body,
          this.headers.get(name),
        ));
      }
      case "weight": {
        const path = this.vppPath(`/members/${this.live.idOf(this.ofSite(action.site))}`);
        return void (await this.trainee(
          "POST",
          path,
          { allocation_weight: action.weight },
          this.headers.get(this.vpp),
        ));
      }
      case "delete":
        return this.deleteSchedule(action.nth);
      case "fault":
        return void (await this.instructor("POST", "/sandbox/faults", this.faultBody(action.fault)));
      case "inject": {
        const at = action.delay === null ? {} : { at: this.in(action.delay) };
        return void (await this.instructor("POST", "/sandbox/injects", { ...this.faultBody(action.fault), ...at }));
      }
      case "owner_call":
        return void (await this.trainee("POST", "/sandbox/owner-calls", { site: this.ofSite(action.site) }));
      case "advance":
        return void (await this.trainee("POST", "/sandbox/clock/advance", {
          to: isoUtc(
            Math.min(
              Math.floor(this.nowMs / MS_PER_SECOND) * MS_PER_SECOND + MS_PER_SECOND * action.seconds,
              this.live.session.scenario.world.endMs,
            ),
          ),
        }));
      case "wall":
        return this.wall.advance(MS_PER_SECOND * action.seconds);
      case "resume":
        return void (await this.trainee("POST", "/sandbox/clock/resume", { speed: action.speed }));
      case "disconnect":
        return this.readers[action.nth].disconnect();
      case "connect":
        return this.readers[action.nth].connect();
      default:
        return this.actOfInstructor(action);
    }
  }

  private async actOfInstructor(
    action: Extract<
      Action,
      {
        readonly do:
          | "end_fault"
          | "cancel_inject"
          | "restore"
          | "read"
          | "refused"
          | "pause"
          | "checkpoint"
          | "reset"
          | "note"
          | "report"
          | "export";
      }
    >,
  ): Promise<void> {
    switch (action.do) {
      case "end_fault": {
        const id = await this.listed("faults", "fault_id", action.nth);
        return void (id !== undefined && (await this.instructor("DELETE", `/sandbox/faults/${id}`)));
      }
      case "cancel_inject": {
        const id = await this.listed("injects", "inject_id", action.nth);
        return void (id !== undefined && (await this.instructor("DELETE", `/sandbox/injects/${id}`)));
      }
      case "restore": {
        const id = await this.listed("checkpoints", "checkpoint_id", action.nth);
        return id === undefined ? undefined : this.rewind(`/sandbox/checkpoints/${id}/restore`);
      }
      case "reset":
        return this.rewind("/sandbox/reset");
      case "checkpoint":
        return void (await this.instructor("POST", "/sandbox/checkpoints", { label: SECRET }));
      case "note":
        return void (await this.instructor("POST", "/sandbox/notes", { text: SECRET }));
      case "report":
      case "export":
        return void (await this.instructor("POST", `/sandbox/${action.do}`, {}));
      case "pause":
        return void (await this.trainee("POST", "/sandbox/clock/pause", {}));
      case "refused":
        return this.refused(action.nth);
      case "read":
        return this.read(action.nth);
    }
  }

  private async deleteSchedule(nth: number): Promise<void> {
    const path = this.vppPath("/control/active_power/schedules");
    const headers = this.headers.get(this.vpp);
    const { schedules } = JSON.parse((await this.trainee("GET", path, undefined, headers)).text) as {
      readonly schedules: { readonly schedule_id: string }[];
    };
    const id = schedules[nth % Math.max(1, schedules.length)]?.schedule_id ?? "0".repeat(32);
    await this.trainee("DELETE", `${path}?schedule_id=${id}`, undefined, headers);
  }

  private async refused(nth: number): Promise<void> {
    const calls = [
      "GET /sandbox/faults",
      "GET /sandbox/injects",
      "GET /sandbox/checkpoints",
      "GET /sandbox/notes",
      "GET /sandbox/actions",
      "POST /sandbox/faults",
      "POST /sandbox/reset",
      "POST /sandbox/checkpoints",
    ];
    const [method, path] = calls[nth % calls.length].split(" ");
    const { status } = await this.trainee(method, path, method === "POST" ? {} : undefined);
    if (status !== 403) this.problems.push(`a trainee's ${method} ${path} is answered with ${status}`);
  }

  private async read(nth: number): Promise<void> {
    const vpp = this.headers.get(this.vpp);
    const name = this.ofSite(nth);
    const own = this.live.idOf(name);
    const of = this.headers.get(name);
    const reads: readonly (readonly [string, Readonly<Record<string, string>> | undefined])[] = [
      ...[
        "session",
        "clock",
        "events",
        "events?after=3&limit=9",
        `vpps/${this.vpp}/balance`,
        `vpps/${this.vpp}/power`,
        `vpps/${this.vpp}/members`,
        "awards/A/story",
      ].map((path) => [`/sandbox/${path}`, undefined] as const),
      ...["/status", "/status/details?include_components=true", "/members", "/control/active_power/schedules"].map(
        (path) => [this.vppPath(path), vpp] as const,
      ),
      ...[
        "/status",
        "/status/details",
        "/specifications",
        "/baseline",
        "/serviceplan",
        "/control/active_power/schedules",
      ].map((path) => [`/v2/ems/${own}${path}`, of] as const),
      ...["/status", "/control/schedules", "/serviceplan"].map((path) => [`/v1/ems/${own}${path}`, of] as const),
      ["/metrics", undefined],
      ["/openapi/sandbox.json", undefined],
    ];
    const [path, headers] = reads[nth % reads.length];
    // The description of the sandbox names the kinds of faults that there are.
    if (path.startsWith("/openapi")) return void (await this.fetch("GET", path, undefined, {}));
    await this.trainee("GET", path, undefined, headers);
  }

  /** Freezes, reads everything as a trainee, and waits until each reader has every message. */
  async settle(): Promise<void> {
    await this.trainee("POST", "/sandbox/clock/pause", {});
    for (let nth = 0; nth < 31; nth++) await this.read(nth);
    for (const reader of this.readers) await reader.connect();
    const nowMs = Math.ceil((this.nowMs + 1) / MS_PER_SECOND) * MS_PER_SECOND;
    const to = isoUtc(Math.min(nowMs, this.live.session.scenario.world.endMs));
    await this.trainee("POST", "/sandbox/clock/advance", { to });
    const { now } = this.live.session.clock();
    for (const reader of this.readers) await reader.clockAt(now);
    this.problems.push(...this.readers.flatMap(({ problems }) => problems));
  }
}
