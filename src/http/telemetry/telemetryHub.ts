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
import type { ApiHost, TokenHolder } from "../apiHost.ts";
import { ChangeCollector } from "./changeCollector.ts";
import type { MessageType } from "./subscription.ts";
import { frameTail, type TelemetryReader } from "./telemetryReader.ts";

/** A record as sent. */
type WireRecord = Readonly<Record<string, unknown>>;

/** Fields of a status record whose change triggers a message; powers vary continuously. */
const STATUS_FLAGS = ["status", "has_warning", "fcr_active", "dr_active", "output_control_limit"] as const;

const statusFlagsOf = (record: WireRecord): string => STATUS_FLAGS.map((key) => String(record[key])).join(" ");

/**
 * Publishes the changes of a session to telemetry readers, in the record formats of the APIs.
 *
 * It collects the changes of an instant and reads the records after its last event. Without readers it does nothing.
 */
export class TelemetryHub implements SessionListener {
  readonly observer: Observer;
  readonly #host: Pick<ApiHost, "context" | "clock">;
  readonly #answer: typeof answerRequest;
  readonly #readers = new Set<TelemetryReader>();
  readonly #changes: ChangeCollector;
  /** Last published status flags, by API, id of the recipients and site id. */
  #lastStatusFlags = new Map<string, string>();
  /** Last published entries of schedules, needed when a schedule has left the list. */
  #lastScheduleEntries = new Map<string, WireRecord>();
  #lastTickMs = Number.NEGATIVE_INFINITY;

  /** @param answer  function that answers a read */
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

  /** Closes connections whose token has expired. */
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

  /** Publishes an immediate instruction received by an API; its answer serves as the record. */
  publishInstruction(api: ApiName, id: string, record: unknown, at: string): void {
    const concerned = [...this.#readers].filter((reader) => isReaderOf(reader, api, id));
    this.#publish(concerned, "instruction", at, record);
  }

  onRevoked({ kind, id }: TokenHolder): void {
    for (const reader of [...this.#readers]) {
      if (reader.id !== id || (reader.api === "vpp-v1") !== (kind === "vpp")) continue;
      reader.revoke();
      this.removeReader(reader);
    }
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

  /** Serialises a message once for all its readers. */
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

  /** Stores the records of a reader's hello message, so that only later changes are published. */
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

  /** Publishes the changes of an instant after its last event, sites first. */
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

  /**
   * Registering a schedule does not change a plant. The site's owner may have done so, or a VPP with the site as a
   * member.
   */
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

  /**
   * Changes of a site's schedules are detected by comparison with the last published entries, because the site emits no
   * event for them.
   */
  #publishSiteSchedules(readers: readonly TelemetryReader[], nowMs: EpochMs): void {
    const [{ api, id }] = readers;
    const at = wireTime(nowMs);
    const found = new Map(this.#scheduleEntries(readers[0]));
    for (const [key, entry] of found) {
      const currentEntry = { ...entry, state: stateAt(entry, nowMs) };
      const lastEntry = this.#lastScheduleEntries.get(key);
      if (
        lastEntry !== undefined &&
        JSON.stringify({ ...lastEntry, state: lastEntry.state ?? currentEntry.state }) === JSON.stringify(currentEntry)
      )
        continue;
      this.#lastScheduleEntries.set(key, currentEntry);
      this.#publish(readers, "schedule", at, currentEntry);
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
