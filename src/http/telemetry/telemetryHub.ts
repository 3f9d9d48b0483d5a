import type { EpochMs } from "../../base/time.ts";
import { answerRequest } from "../../endpoints/answerRequest.ts";
import type { ApiName } from "../../endpoints/route.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import type { ClockRecord } from "../../session/clockRecord.ts";
import type { FaultRecord } from "../../session/fault.ts";
import type { SessionListener } from "../../session/sessionListener.ts";
import type { Observer } from "../../simulation/observer.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { ApiHost } from "../apiHost.ts";
import { ChangeCollector } from "./changeCollector.ts";
import type { MessageType } from "./subscription.ts";
import { frameTail, type TelemetryReader } from "./telemetryReader.ts";

/** A record as it goes over the wire. */
type WireRecord = Readonly<Record<string, unknown>>;

/** What of a status record is news of its own; powers change all the time. */
const STATUS_FLAGS = ["status", "has_warning", "fcr_active", "dr_active", "output_control_limit"] as const;

const statusFlagsOf = (record: WireRecord): string => STATUS_FLAGS.map((key) => String(record[key])).join(" ");

/**
 * Tells telemetry readers what happens in the session, in the APIs' own records.
 *
 * It notes what the world says and reads the records when the instant is settled. Without readers it does nothing.
 */
export class TelemetryHub implements SessionListener {
  readonly observer: Observer;
  readonly #host: Pick<ApiHost, "context" | "clock">;
  readonly #answer: typeof answerRequest;
  readonly #readers = new Set<TelemetryReader>();
  readonly #changes: ChangeCollector;
  /** The last news of each site, by API and id of those that are told of it, and the site's id. */
  #lastStatusFlags = new Map<string, string>();
  /** Entries of schedules as they were last told, for those that are gone from the lists. */
  #lastScheduleEntries = new Map<string, WireRecord>();
  #lastTickMs = Number.NEGATIVE_INFINITY;

  /** @param answer  how a read is answered */
  constructor(host: Pick<ApiHost, "context" | "clock">, answer: typeof answerRequest = answerRequest) {
    this.#host = host;
    this.#answer = answer;
    this.#changes = new ChangeCollector((nowMs) => this.#publishChanges(nowMs));
    this.observer = this.#changes;
  }

  get readerCount(): number {
    return this.#readers.size;
  }

  addReader(reader: TelemetryReader): void {
    this.#readers.add(reader);
    this.#changes.isActive = true;
    this.#rememberRecords(reader);
    this.#sendHello(reader);
  }

  removeReader(reader: TelemetryReader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#changes.isActive = false;
    this.#lastStatusFlags = new Map();
    this.#lastScheduleEntries = new Map();
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

  onSettled(nowMs: EpochMs): void {
    if (this.#readers.size === 0) return;
    this.#changes.flush(nowMs);
    if (nowMs === this.#lastTickMs) return;
    this.#lastTickMs = nowMs;
    this.#expireReaders(nowMs);
    const texts = new Map<string, string>();
    for (const reader of this.#readers) {
      if (nowMs % reader.subscription.intervalMs !== 0 || !reader.isSubscribedTo("status")) continue;
      const key = `${reader.api} ${reader.id}`;
      const at = wireTime(nowMs);
      const rest = texts.get(key) ?? frameTail("status", at, JSON.stringify(this.#read(reader, "/status")));
      texts.set(key, rest);
      reader.send(rest, at);
    }
  }

  /** Who could not open telemetry any more does not go on reading it. */
  #expireReaders(nowMs: EpochMs): void {
    for (const reader of this.#readers) {
      if (nowMs < reader.expiresMs) continue;
      reader.expire();
      this.removeReader(reader);
    }
  }

  onClock(record: ClockRecord): void {
    this.#publish(this.#readers, "clock", record.now, record);
  }

  onFault(record: FaultRecord): void {
    const site = this.#world.sites.find(({ spec }) => spec.name === record.site);
    if (site === undefined) return;
    const concerned = [...this.#readers].filter((reader) => this.#isAffected(reader, site));
    this.#publish(concerned, "fault", wireTime(this.#world.nowMs), record);
  }

  /** An immediate instruction was given through an API: its answer is the record of it. */
  publishInstruction(api: ApiName, id: string, record: unknown, at: string): void {
    const concerned = [...this.#readers].filter((reader) => isReaderOf(reader, api, id));
    this.#publish(concerned, "instruction", at, record);
  }

  onRewound(): void {
    this.#changes.clear();
    this.#lastStatusFlags = new Map();
    this.#lastScheduleEntries = new Map();
    this.#lastTickMs = Number.NEGATIVE_INFINITY;
    if (this.#readers.size === 0) return;
    this.onClock(this.#host.clock());
    for (const reader of this.#readers) {
      this.#rememberRecords(reader);
      this.#sendHello(reader);
    }
  }

  get #world() {
    return this.#host.context.world;
  }

  #sendHello(reader: TelemetryReader): void {
    const at = wireTime(this.#world.nowMs);
    reader.sendHello(frameTail("hello", at, JSON.stringify(this.#read(reader, "/status"))), at);
  }

  #read({ api, id }: { readonly api: ApiName; readonly id: string }, path: string, query = {}): WireRecord {
    return this.#answer(this.#host.context, { api, id, method: "GET", path, query, body: undefined })
      .body as WireRecord;
  }

  /** Serialises once what many are told. */
  #publish(readers: Iterable<TelemetryReader>, type: MessageType, at: string, data: unknown): void {
    let rest: string | null = null;
    for (const reader of readers) {
      if (!reader.isSubscribedTo(type)) continue;
      rest ??= frameTail(type, at, JSON.stringify(data));
      reader.send(rest, at);
    }
  }

  #isAffected(reader: TelemetryReader, site: Site): boolean {
    if (reader.api !== "vpp-v1") return reader.id === site.spec.emsId;
    const vpp = this.#world.vpps.find(({ spec }) => spec.vppId === reader.id);
    return vpp?.members.some((member) => member.site === site.index) ?? false;
  }

  /** Takes what a reader's hello tells as known, so that only what changes afterwards is news. */
  #rememberRecords(reader: TelemetryReader): void {
    for (const [key, record] of this.#statusRecords(reader)) this.#lastStatusFlags.set(key, statusFlagsOf(record));
    for (const [key, entry] of this.#scheduleEntries(reader))
      if (!this.#lastScheduleEntries.has(key)) this.#lastScheduleEntries.set(key, entry);
  }

  *#statusRecords(reader: TelemetryReader): Iterable<[string, WireRecord]> {
    const status = this.#read(reader, "/status");
    const members = reader.api === "vpp-v1" ? ((status.members ?? []) as readonly WireRecord[]) : [status];
    for (const member of members) yield [`${reader.api} ${reader.id} ${String(member.ems_id)}`, member];
  }

  *#scheduleEntries(reader: TelemetryReader): Iterable<[string, WireRecord]> {
    const { schedules } = this.#read(reader, "/control/active_power/schedules");
    for (const entry of (schedules ?? []) as readonly WireRecord[])
      yield [`${reader.api} ${reader.id} ${String(entry.schedule_id)}`, entry];
  }

  /** One instant is settled: what changed in it goes out, sites first. */
  #publishChanges(nowMs: EpochMs): void {
    const at = wireTime(nowMs);
    const { sites, schedules } = this.#changes;
    const groups = new Map<string, TelemetryReader[]>();
    for (const reader of this.#readers) {
      const key = `${reader.api} ${reader.id}`;
      groups.set(key, [...(groups.get(key) ?? []), reader]);
    }
    for (const readers of groups.values()) {
      const [first] = readers;
      const isTouched = [...sites].some((site) => this.#isAffected(first, site));
      if (isTouched) this.#publishStatus(readers, at);
      if (first.api === "vpp-v1") this.#publishSchedules(readers, schedules, at);
      else if (isTouched || this.#mayHaveNewSchedules(first)) this.#publishSiteSchedules(readers, nowMs);
    }
  }

  /** Registering a schedule touches no plant: the site's owner did, or a VPP that has the site. */
  #mayHaveNewSchedules({ id }: TelemetryReader): boolean {
    const site = this.#world.siteById(id);
    if (site === undefined) return false;
    const { ownerScheduleSites: owners, schedules } = this.#changes;
    return (
      owners.has(site.spec.name) ||
      [...schedules.keys()].some(({ vpp }) => this.#world.vpps[vpp].findMember(site.index) !== undefined)
    );
  }

  #publishStatus(readers: readonly TelemetryReader[], at: string): void {
    for (const [key, record] of this.#statusRecords(readers[0])) {
      const news = statusFlagsOf(record);
      if (this.#lastStatusFlags.get(key) === news) continue;
      this.#lastStatusFlags.set(key, news);
      this.#publish(readers, "member_status", at, record);
    }
  }

  #publishSchedules(readers: readonly TelemetryReader[], changed: ReadonlyMap<Instruction, string>, at: string): void {
    const [{ api, id }] = readers;
    const vpp = this.#world.vpps.findIndex(({ spec }) => spec.vppId === id);
    for (const [instruction, state] of changed) {
      if (instruction.vpp !== vpp || instruction.kind !== "schedule") continue;
      const key = `${api} ${id} ${instruction.awardId}`;
      const entry = this.#entryOf(readers[0], instruction) ?? this.#lastScheduleEntries.get(key);
      if (entry === undefined) continue;
      this.#lastScheduleEntries.set(key, entry);
      this.#publish(readers, "schedule", at, { ...entry, state });
      if (FINAL_STATES.has(state)) this.#lastScheduleEntries.delete(key);
    }
  }

  #entryOf(reader: TelemetryReader, { awardId: id, startMs }: Instruction): WireRecord | undefined {
    const start = wireTime(startMs);
    const query = { start_time_from: start, start_time_to: start };
    const { schedules } = this.#read(reader, "/control/active_power/schedules", query);
    return ((schedules ?? []) as readonly WireRecord[]).find((entry) => entry.schedule_id === id);
  }

  /** A site's own book says nothing of why: what is new, what moved, what is gone and what began or ended is found by comparing. */
  #publishSiteSchedules(readers: readonly TelemetryReader[], nowMs: EpochMs): void {
    const [{ api, id }] = readers;
    const at = wireTime(nowMs);
    const found = new Map(this.#scheduleEntries(readers[0]));
    for (const [key, entry] of found) {
      const told = { ...entry, state: stateAt(entry, nowMs) };
      const before = this.#lastScheduleEntries.get(key);
      if (
        before !== undefined &&
        JSON.stringify({ ...before, state: before.state ?? told.state }) === JSON.stringify(told)
      )
        continue;
      this.#lastScheduleEntries.set(key, told);
      this.#publish(readers, "schedule", at, told);
    }
    for (const [key, entry] of this.#lastScheduleEntries) {
      if (!key.startsWith(`${api} ${id} `) || found.has(key)) continue;
      this.#lastScheduleEntries.delete(key);
      this.#publish(readers, "schedule", at, { ...entry, state: "deleted" });
    }
  }
}

const FINAL_STATES = new Set(["completed", "overwritten", "deleted"]);

const isReaderOf = (reader: TelemetryReader, api: ApiName, id: string): boolean =>
  reader.api === api && reader.id === id;

function stateAt(entry: WireRecord, nowMs: EpochMs): string {
  if (nowMs < Date.parse(String(entry.start_time))) return "pending";
  return nowMs < Date.parse(String(entry.end_time)) ? "running" : "completed";
}
