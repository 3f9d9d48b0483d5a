import type { EpochMs } from "../../base/time.ts";
import { answerRequest } from "../../endpoints/answerRequest.ts";
import type { ApiName } from "../../endpoints/route.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import type { ClockRecord } from "../../session/clockRecord.ts";
import type { FaultRecord } from "../../session/fault.ts";
import type { SessionListener } from "../../session/listener.ts";
import type { Observer } from "../../simulation/observer.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { ApiHost } from "../host.ts";
import { Changes } from "./changes.ts";
import { frameRest, type Reader } from "./reader.ts";
import type { MessageType } from "./subscription.ts";

/** A record as it goes over the wire. */
type Wire = Readonly<Record<string, unknown>>;

/** What of a status record is news of its own; powers change all the time. */
const NEWS = ["status", "has_warning", "fcr_active", "dr_active", "output_control_limit"] as const;

const newsOf = (record: Wire): string => NEWS.map((key) => String(record[key])).join(" ");

/**
 * Tells telemetry readers what happens in the session, in the APIs' own records.
 *
 * It notes what the world says and reads the records when the instant is settled. Without readers it does nothing.
 */
export class TelemetryHub implements SessionListener {
  readonly observer: Observer;
  readonly #host: Pick<ApiHost, "context" | "clock">;
  readonly #answer: typeof answerRequest;
  readonly #readers = new Set<Reader>();
  readonly #changes: Changes;
  /** The last news of each site, by API and id of those that are told of it, and the site's id. */
  #news = new Map<string, string>();
  /** Entries of schedules as they were last told, for those that are gone from the lists. */
  #entries = new Map<string, Wire>();
  #tickedMs = Number.NEGATIVE_INFINITY;

  /** @param answer  how a read is answered */
  constructor(host: Pick<ApiHost, "context" | "clock">, answer: typeof answerRequest = answerRequest) {
    this.#host = host;
    this.#answer = answer;
    this.#changes = new Changes((nowMs) => this.#tell(nowMs));
    this.observer = this.#changes;
  }

  get readerCount(): number {
    return this.#readers.size;
  }

  add(reader: Reader): void {
    this.#readers.add(reader);
    this.#changes.active = true;
    this.#learn(reader);
    this.#hello(reader);
  }

  remove(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#changes.active = false;
    this.#news = new Map();
    this.#entries = new Map();
  }

  nextTickMs(afterMs: EpochMs): EpochMs {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { subscription, expiresMs } of this.#readers) {
      if (afterMs < expiresMs) nextMs = Math.min(nextMs, expiresMs);
      if (!subscription.types.has("status")) continue;
      nextMs = Math.min(nextMs, (Math.floor(afterMs / subscription.intervalMs) + 1) * subscription.intervalMs);
    }
    return nextMs;
  }

  settled(nowMs: EpochMs): void {
    if (this.#readers.size === 0) return;
    this.#changes.flush(nowMs);
    if (nowMs === this.#tickedMs) return;
    this.#tickedMs = nowMs;
    this.#expire(nowMs);
    const texts = new Map<string, string>();
    for (const reader of this.#readers) {
      if (nowMs % reader.subscription.intervalMs !== 0 || !reader.wants("status")) continue;
      const key = `${reader.api} ${reader.id}`;
      const at = wireTime(nowMs);
      const rest = texts.get(key) ?? frameRest("status", at, JSON.stringify(this.#read(reader, "/status")));
      texts.set(key, rest);
      reader.send(rest, at);
    }
  }

  /** Who could not open telemetry any more does not go on reading it. */
  #expire(nowMs: EpochMs): void {
    for (const reader of this.#readers) {
      if (nowMs < reader.expiresMs) continue;
      reader.expire();
      this.remove(reader);
    }
  }

  clock(record: ClockRecord): void {
    this.#publish(this.#readers, "clock", record.now, record);
  }

  fault(record: FaultRecord): void {
    const site = this.#world.sites.find(({ spec }) => spec.name === record.site);
    if (site === undefined) return;
    const concerned = [...this.#readers].filter((reader) => this.#concerns(reader, site));
    this.#publish(concerned, "fault", wireTime(this.#world.nowMs), record);
  }

  /** An immediate instruction was given through an API: its answer is the record of it. */
  instruction(api: ApiName, id: string, record: unknown, at: string): void {
    const concerned = [...this.#readers].filter((reader) => isSame(reader, api, id));
    this.#publish(concerned, "instruction", at, record);
  }

  rewound(): void {
    this.#changes.clear();
    this.#news = new Map();
    this.#entries = new Map();
    this.#tickedMs = Number.NEGATIVE_INFINITY;
    if (this.#readers.size === 0) return;
    this.clock(this.#host.clock());
    for (const reader of this.#readers) {
      this.#learn(reader);
      this.#hello(reader);
    }
  }

  get #world() {
    return this.#host.context.world;
  }

  #hello(reader: Reader): void {
    const at = wireTime(this.#world.nowMs);
    reader.hello(frameRest("hello", at, JSON.stringify(this.#read(reader, "/status"))), at);
  }

  #read({ api, id }: { readonly api: ApiName; readonly id: string }, path: string, query = {}): Wire {
    return this.#answer(this.#host.context, { api, id, method: "GET", path, query, body: undefined }).body as Wire;
  }

  /** Serialises once what many are told. */
  #publish(readers: Iterable<Reader>, type: MessageType, at: string, data: unknown): void {
    let rest: string | null = null;
    for (const reader of readers) {
      if (!reader.wants(type)) continue;
      rest ??= frameRest(type, at, JSON.stringify(data));
      reader.send(rest, at);
    }
  }

  #concerns(reader: Reader, site: Site): boolean {
    if (reader.api !== "vpp-v1") return reader.id === site.spec.emsId;
    const vpp = this.#world.vpps.find(({ spec }) => spec.vppId === reader.id);
    return vpp?.members.some((member) => member.site === site.index) ?? false;
  }

  /** Takes what a reader's hello tells as known, so that only what changes afterwards is news. */
  #learn(reader: Reader): void {
    for (const [key, record] of this.#statusRecords(reader)) this.#news.set(key, newsOf(record));
    for (const [key, entry] of this.#scheduleEntries(reader))
      if (!this.#entries.has(key)) this.#entries.set(key, entry);
  }

  *#statusRecords(reader: Reader): Iterable<[string, Wire]> {
    const status = this.#read(reader, "/status");
    const members = reader.api === "vpp-v1" ? ((status.members ?? []) as readonly Wire[]) : [status];
    for (const member of members) yield [`${reader.api} ${reader.id} ${String(member.ems_id)}`, member];
  }

  *#scheduleEntries(reader: Reader): Iterable<[string, Wire]> {
    const { schedules } = this.#read(reader, "/control/active_power/schedules");
    for (const entry of (schedules ?? []) as readonly Wire[])
      yield [`${reader.api} ${reader.id} ${String(entry.schedule_id)}`, entry];
  }

  /** One instant is settled: what changed in it goes out, sites first. */
  #tell(nowMs: EpochMs): void {
    const at = wireTime(nowMs);
    const { sites, schedules } = this.#changes;
    const groups = new Map<string, Reader[]>();
    for (const reader of this.#readers) {
      const key = `${reader.api} ${reader.id}`;
      groups.set(key, [...(groups.get(key) ?? []), reader]);
    }
    for (const readers of groups.values()) {
      const [first] = readers;
      const isTouched = [...sites].some((site) => this.#concerns(first, site));
      if (isTouched) this.#tellStatus(readers, at);
      if (first.api === "vpp-v1") this.#tellSchedules(readers, schedules, at);
      else if (isTouched || this.#mayHaveNewSchedules(first)) this.#tellSiteSchedules(readers, nowMs);
    }
  }

  /** Registering a schedule touches no plant: the site's owner did, or a VPP that has the site. */
  #mayHaveNewSchedules({ id }: Reader): boolean {
    const site = this.#world.siteById(id);
    if (site === undefined) return false;
    const { owners, schedules } = this.#changes;
    return (
      owners.has(site.spec.name) ||
      [...schedules.keys()].some(({ vpp }) => this.#world.vpps[vpp].memberOf(site.index) !== undefined)
    );
  }

  #tellStatus(readers: readonly Reader[], at: string): void {
    for (const [key, record] of this.#statusRecords(readers[0])) {
      const news = newsOf(record);
      if (this.#news.get(key) === news) continue;
      this.#news.set(key, news);
      this.#publish(readers, "member_status", at, record);
    }
  }

  #tellSchedules(readers: readonly Reader[], changed: ReadonlyMap<Instruction, string>, at: string): void {
    const [{ api, id }] = readers;
    const vpp = this.#world.vpps.findIndex(({ spec }) => spec.vppId === id);
    for (const [instruction, state] of changed) {
      if (instruction.vpp !== vpp || instruction.kind !== "schedule") continue;
      const key = `${api} ${id} ${instruction.id}`;
      const entry = this.#entryOf(readers[0], instruction) ?? this.#entries.get(key);
      if (entry === undefined) continue;
      this.#entries.set(key, entry);
      this.#publish(readers, "schedule", at, { ...entry, state });
      if (GONE.has(state)) this.#entries.delete(key);
    }
  }

  #entryOf(reader: Reader, { id, startMs }: Instruction): Wire | undefined {
    const start = wireTime(startMs);
    const query = { start_time_from: start, start_time_to: start };
    const { schedules } = this.#read(reader, "/control/active_power/schedules", query);
    return ((schedules ?? []) as readonly Wire[]).find((entry) => entry.schedule_id === id);
  }

  /** A site's own book says nothing of why: what is new, what moved, what is gone and what began or ended is found by comparing. */
  #tellSiteSchedules(readers: readonly Reader[], nowMs: EpochMs): void {
    const [{ api, id }] = readers;
    const at = wireTime(nowMs);
    const found = new Map(this.#scheduleEntries(readers[0]));
    for (const [key, entry] of found) {
      const told = { ...entry, state: stateAt(entry, nowMs) };
      const before = this.#entries.get(key);
      if (
        before !== undefined &&
        JSON.stringify({ ...before, state: before.state ?? told.state }) === JSON.stringify(told)
      )
        continue;
      this.#entries.set(key, told);
      this.#publish(readers, "schedule", at, told);
    }
    for (const [key, entry] of this.#entries) {
      if (!key.startsWith(`${api} ${id} `) || found.has(key)) continue;
      this.#entries.delete(key);
      this.#publish(readers, "schedule", at, { ...entry, state: "deleted" });
    }
  }
}

const GONE = new Set(["completed", "overwritten", "deleted"]);

const isSame = (reader: Reader, api: ApiName, id: string): boolean => reader.api === api && reader.id === id;

function stateAt(entry: Wire, nowMs: EpochMs): string {
  if (nowMs < Date.parse(String(entry.start_time))) return "pending";
  return nowMs < Date.parse(String(entry.end_time)) ? "running" : "completed";
}
