import type { ClockRecord, DashboardConfig, SandboxCredentials, SessionView } from "../../api/client/sandboxTypes.ts";
import { SiteV1Client } from "../../api/client/siteV1Client.ts";
import { SiteV2Client } from "../../api/client/siteV2Client.ts";
import { VppClient } from "../../api/client/vppClient.ts";
import { ActionLog } from "./actionLog.ts";
import { EventLog } from "./eventLog.ts";
import { Reads } from "./reads.ts";
import type { SandboxCalls } from "./sandboxCalls.ts";
import { TelemetryLink, type TelemetryMessage } from "./telemetryLink.ts";

/** Who sits at the page: the address says it. */
export type StationKind = "trainee" | "instructor";

export const CLOCK_KEY = "clock";
export const EVENTS_KEY = "events";
const CLOCK_PATH = "/sandbox/clock";
/** Real ms between two reads of what no open page shows. */
const HELD_PERIOD_MS = 5_000;

const membersPath = (vpp: string): string => `/sandbox/vpps/${encodeURIComponent(vpp)}/members`;

/** A random key of a command. `crypto.randomUUID` is absent on pages without TLS at other names than localhost. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Everything that the page knows of its server: one for the life of a token. */
export class Station {
  readonly kind: StationKind;
  readonly config: DashboardConfig;
  readonly session: SessionView;
  readonly calls: SandboxCalls;
  readonly reads = new Reads();
  readonly events: EventLog;
  /** For the instructor. */
  readonly actions: ActionLog;
  private readonly credentials: SandboxCredentials;
  private readonly vppClients = new Map<string, VppClient>();
  private readonly siteClients = new Map<string, SiteV2Client>();
  private readonly siteV1Clients = new Map<string, SiteV1Client>();
  private readonly telemetryLinks = new Map<string, TelemetryLink>();
  private endReads: readonly (() => void)[] = [];
  private lastNow = "";
  private lastReturnMs = Number.NEGATIVE_INFINITY;

  constructor(options: {
    readonly kind: StationKind;
    readonly config: DashboardConfig;
    readonly calls: SandboxCalls;
    readonly session: SessionView;
    readonly credentials: SandboxCredentials;
  }) {
    this.kind = options.kind;
    this.config = options.config;
    this.calls = options.calls;
    this.session = options.session;
    this.credentials = options.credentials;
    this.actions = new ActionLog((after) => this.calls.get(`/sandbox/actions?after=${after}`));
    this.events = new EventLog((after, limit) => this.calls.get(`/sandbox/events?after=${after}&limit=${limit}`));
  }

  /** Begins to read; `stop` ends it. */
  start(): void {
    const onClock = () => this.onClock();
    const clock = this.reads.watch(CLOCK_KEY, () => this.readClock(), 1_000, onClock);
    // Whatever page is open: without the server, others show the values last received.
    const members = this.session.vpps.map(({ name }) => {
      const path = membersPath(name);
      return this.reads.watch(
        path,
        () => this.calls.get(path),
        HELD_PERIOD_MS,
        () => {},
      );
    });
    this.endReads = [clock, ...members];
    for (const { name } of this.session.vpps) this.telemetry(name);
  }

  stop(): void {
    for (const end of this.endReads) end();
    for (const link of this.telemetryLinks.values()) link.close();
    this.telemetryLinks.clear();
  }

  /** Real instant (`performance.now()`) at which the simulated time was last seen to have gone back. */
  get returnedAtMs(): number {
    return this.lastReturnMs;
  }

  readClock(): Promise<ClockRecord> {
    return this.calls.get(CLOCK_PATH);
  }

  /** Client of the VPP API for one VPP. */
  vpp(name: string): VppClient {
    const { vpp_id: id, refresh_token: refreshToken } = entryNamed(this.credentials.vpps, name, "VPP");
    return entryOf(this.vppClients, name, () => new VppClient({ ...this.clientOptions(), id, refreshToken }));
  }

  /** Client of the site API 2.2 for one site. */
  site(name: string): SiteV2Client {
    const { ems_id: id, refresh_token: refreshToken } = entryNamed(this.credentials.sites, name, "site");
    return entryOf(this.siteClients, name, () => new SiteV2Client({ ...this.clientOptions(), id, refreshToken }));
  }

  /** Client of the site API 1.13 for one site. */
  siteV1(name: string): SiteV1Client {
    const { ems_id: id, refresh_token: refreshToken } = entryNamed(this.credentials.sites, name, "site");
    return entryOf(this.siteV1Clients, name, () => new SiteV1Client({ ...this.clientOptions(), id, refreshToken }));
  }

  /** Telemetry of one VPP. */
  telemetry(name: string): TelemetryLink {
    const { vpp_id } = entryNamed(this.session.vpps, name, "VPP");
    return entryOf(
      this.telemetryLinks,
      name,
      () =>
        new TelemetryLink({
          url: `${location.origin.replace(/^http/, "ws")}/v1/vpp/${vpp_id}/telemetry`,
          accessToken: () => this.vpp(name).accessToken(),
          renewToken: () => this.vpp(name).members(),
          onMessage: (message) => this.onTelemetry(message),
          onReconnect: () => this.reads.refresh(),
        }),
    );
  }

  private clientOptions() {
    const { auth_url: authUrl } = this.config;
    // A person waits: fewer attempts, and refusals at once.
    return { baseUrl: location.origin, authUrl, attempts: 2, waitSecondsMax: 2, timeoutSeconds: 20, newKey };
  }

  private onTelemetry({ type }: TelemetryMessage): void {
    // Sent at the start, after a long disconnection, and after a session went back in time.
    if (type === "hello") this.events.clear();
    this.reads.refreshSoon();
  }

  private onClock(): void {
    const { value } = this.reads.resource<ClockRecord>(CLOCK_KEY);
    if (value === null) return;
    if (value.now < this.lastNow) {
      this.lastReturnMs = performance.now();
      this.reads.refresh();
    }
    this.reads.setFrozen(value.mode === "paused" && value.now === this.lastNow);
    this.lastNow = value.now;
  }
}

function entryNamed<T extends { readonly name: string }>(list: readonly T[], name: string, what: string): T {
  const found = list.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`${what} ${name} is not in this session`);
  return found;
}

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
