import type { EpochMs } from "../../../base/time.ts";
import type { Observer } from "../../../engine/simulation/observer.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";
import type { ClockRecord, FaultRecord } from "../../../live/session/sandboxCommands.ts";
import type { SessionListener } from "../../../live/session/sessionListener.ts";
import { answerRequest } from "../../endpoints/answerRequest.ts";
import type { ApiName } from "../../endpoints/route.ts";
import {
  compareSiteSchedules,
  memberScheduleEntry,
  ownScheduleEntry,
  type SiteScheduleEntry,
} from "../../endpoints/shared/reading/listSiteSchedules.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import { scheduleView as scheduleViewOfSite } from "../../endpoints/siteV2/schedules.ts";
import { scheduleView } from "../../endpoints/vppV1/schedules.ts";
import type { ApiHost, TokenHolder } from "../apiHost.ts";
import { ChangeCollector } from "./changeCollector.ts";
import type { ReaderRegistry, TelemetryView } from "./readerRegistry.ts";
import type { MessageType } from "./subscription.ts";
import { buildFrame, type SharedFrame } from "./telemetryBudget.ts";
import { CLOSE_REASONS, type ReaderConnection, type TelemetryReader } from "./telemetryReader.ts";

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
  private readonly host: Pick<ApiHost, "context" | "clock" | "alarms">;
  private readonly answer: typeof answerRequest;
  private readonly readers: ReaderRegistry;
  private readonly changes: ChangeCollector;
  /** Last published status flags, by API, id of the recipients and site id. */
  private lastStatusFlags = new Map<string, string>();
  /** Last published entries of schedules, needed when a schedule has left the list. */
  private lastScheduleEntries = new Map<string, WireRecord>();
  /** Number of the last change of an alarm that was published. */
  private lastAlarmSeq = 0;
  /** The last instant for which readers have a status. */
  private lastTickMs = Number.NEGATIVE_INFINITY;

  /** @param answer  function that answers a read */
  constructor(
    host: Pick<ApiHost, "context" | "clock" | "alarms">,
    readers: ReaderRegistry,
    answer: typeof answerRequest = answerRequest,
  ) {
    this.host = host;
    this.readers = readers;
    this.answer = answer;
    this.changes = new ChangeCollector((nowMs) => this.publishChanges(nowMs));
    this.observer = this.changes;
  }

  /** Adds a reader with its connection and sends its hello. */
  addReader(reader: TelemetryReader, connection: ReaderConnection): void {
    if (this.readers.isEmpty) this.forget();
    this.changes.isActive = true;
    const isNewView = this.readers.view(reader) === undefined;
    const view = this.readers.add(reader);
    if (isNewView) this.rememberRecords(view);
    reader.connect(connection);
    // The hello has the status of this instant. A second status would reveal that some client sent a command.
    this.lastTickMs = this.world.nowMs;
    reader.sendHello(this.helloFrame(view));
    this.readers.enforceBudget();
  }

  /** Continues a reader over a new connection. @returns false, without an effect, if that is impossible */
  resumeReader(reader: TelemetryReader, connection: ReaderConnection, lastSeq: number): boolean {
    if (!reader.resume(connection, lastSeq, wireTime(this.world.nowMs))) return false;
    this.readers.markConnected(reader);
    this.readers.enforceBudget();
    return true;
  }

  nextTickMs(afterMs: EpochMs): EpochMs {
    let nextMs = Number.POSITIVE_INFINITY;
    const alarmsMs = this.host.alarms?.nextDueMs ?? Number.POSITIVE_INFINITY;
    for (const { subscription, expiresMs } of this.readers.readers()) {
      if (afterMs < expiresMs) nextMs = Math.min(nextMs, expiresMs);
      if (subscription.types.has("alarm")) nextMs = Math.min(nextMs, alarmsMs);
      if (!subscription.types.has("status")) continue;
      nextMs = Math.min(nextMs, (Math.floor(afterMs / subscription.intervalMs) + 1) * subscription.intervalMs);
    }
    return nextMs;
  }

  onSettled(nowMs: EpochMs): void {
    if (this.readers.isEmpty) {
      this.changes.isActive = false;
      return;
    }
    this.changes.flush(nowMs);
    this.publishAlarms();
    if (nowMs === this.lastTickMs) return;
    this.lastTickMs = nowMs;
    this.expireReaders(nowMs);
    const at = wireTime(nowMs);
    for (const view of this.readers.views) {
      let frame: SharedFrame | null = null;
      for (const reader of view.readers) {
        if (nowMs % reader.subscription.intervalMs !== 0 || !reader.isSubscribedTo("status")) continue;
        frame ??= buildFrame("status", at, JSON.stringify(this.read(view, "/status")));
        reader.send(frame);
      }
    }
    this.readers.enforceBudget();
  }

  /** Closes connections whose token has expired; their readers may be resumed with a new token. */
  private expireReaders(nowMs: EpochMs): void {
    for (const reader of this.readers.readers()) {
      if (nowMs < reader.expiresMs) continue;
      reader.close(CLOSE_REASONS.tokenExpired);
      this.readers.markDisconnected(reader);
    }
  }

  onClock(record: ClockRecord): void {
    this.publish(this.readers.readers(), "clock", record.now, record);
  }

  onFault(record: FaultRecord): void {
    const site = this.world.sites.find(({ spec }) => spec.name === record.site);
    if (site === undefined) return;
    const concerned = [...this.readers.views].filter((view) => this.isAffected(view, site));
    this.publish(
      concerned.flatMap(({ readers }) => [...readers]),
      "fault",
      wireTime(this.world.nowMs),
      record,
    );
  }

  /** Publishes an immediate instruction received by an API; its answer serves as the record. */
  publishInstruction(api: ApiName, id: string, record: unknown, at: string): void {
    this.publish(this.readers.view({ api, id })?.readers ?? [], "instruction", at, record);
  }

  onRevoked({ kind, id }: TokenHolder): void {
    for (const reader of [...this.readers.readers()]) {
      if (reader.id !== id || (reader.api === "vpp-v1") !== (kind === "vpp")) continue;
      reader.close(CLOSE_REASONS.tokenRevoked);
      this.readers.remove(reader);
    }
  }

  /** Readers without a connection cannot resume: their missed messages belong to a discarded branch of the history. */
  onRewound(): void {
    this.forget();
    this.lastTickMs = this.world.nowMs;
    this.readers.removeDisconnected();
    if (this.readers.isEmpty) return;
    this.onClock(this.host.clock());
    for (const view of this.readers.views) {
      this.rememberRecords(view);
      const frame = this.helloFrame(view);
      for (const reader of view.readers) reader.sendHello(frame);
    }
    this.readers.enforceBudget();
  }

  private forget(): void {
    this.changes.clear();
    this.lastStatusFlags = new Map();
    this.lastScheduleEntries = new Map();
    this.lastAlarmSeq = this.host.alarms?.lastSeq ?? 0;
  }

  /** Publishes the changes of alarms to the readers of their VPP. */
  private publishAlarms(): void {
    const { alarms } = this.host;
    if (alarms === undefined || alarms.lastSeq === this.lastAlarmSeq) return;
    for (const { vpp: name, at, data } of alarms.changesAfter(this.lastAlarmSeq)) {
      const vpp = this.world.vpps.find(({ spec }) => spec.name === name);
      const view = vpp === undefined ? undefined : this.readers.view({ api: "vpp-v1", id: vpp.spec.vppId });
      this.publish(view?.readers ?? [], "alarm", at, data);
    }
    this.lastAlarmSeq = alarms.lastSeq;
  }

  private get world() {
    return this.host.context.world;
  }

  private helloFrame(view: TelemetryView): SharedFrame {
    return buildFrame("hello", wireTime(this.world.nowMs), JSON.stringify(this.read(view, "/status")));
  }

  private read({ api, id }: { readonly api: ApiName; readonly id: string }, path: string, query = {}): WireRecord {
    return this.answer(this.host.context, { api, id, method: "GET", path, query, body: undefined }).body as WireRecord;
  }

  /** Serialises a message once for all its readers. */
  private publish(readers: Iterable<TelemetryReader>, type: MessageType, at: string, data: unknown): void {
    let frame: SharedFrame | null = null;
    for (const reader of readers) {
      if (!reader.isSubscribedTo(type)) continue;
      frame ??= buildFrame(type, at, JSON.stringify(data));
      reader.send(frame);
    }
    this.readers.enforceBudget();
  }

  private isAffected(view: TelemetryView, site: Site): boolean {
    if (view.api !== "vpp-v1") return view.id === site.spec.emsId;
    const vpp = this.world.vpps.find(({ spec }) => spec.vppId === view.id);
    return vpp?.members.some((member) => member.site === site.index) ?? false;
  }

  /** Stores the records of a view at its first hello message, so that only later changes are published. */
  private rememberRecords(view: TelemetryView): void {
    for (const [key, record] of this.statusRecords(view)) this.lastStatusFlags.set(key, statusFlagsOf(record));
    const prefix = `${view.api} ${view.id} `;
    for (const key of this.lastScheduleEntries.keys()) if (key.startsWith(prefix)) this.lastScheduleEntries.delete(key);
    for (const [key, entry] of this.scheduleEntries(view)) this.lastScheduleEntries.set(key, entry);
  }

  private *statusRecords(view: TelemetryView): Iterable<[string, WireRecord]> {
    const status = this.read(view, "/status");
    const members = view.api === "vpp-v1" ? ((status.members ?? []) as readonly WireRecord[]) : [status];
    for (const member of members) yield [`${view.api} ${view.id} ${String(member.ems_id)}`, member];
  }

  private *scheduleEntries(view: TelemetryView): Iterable<[string, WireRecord]> {
    const { schedules } = this.read(view, "/control/active_power/schedules");
    for (const entry of (schedules ?? []) as readonly WireRecord[])
      yield [`${view.api} ${view.id} ${String(entry.schedule_id)}`, entry];
  }

  /** Publishes the changes of an instant after its last event, sites first. */
  private publishChanges(nowMs: EpochMs): void {
    const at = wireTime(nowMs);
    const { sites, schedules } = this.changes;
    for (const view of [...this.readers.views]) {
      const isTouched = [...sites].some((site) => this.isAffected(view, site));
      if (isTouched) this.publishStatus(view, at);
      if (view.api === "vpp-v1") this.publishSchedules(view, schedules, at);
      else this.publishSiteSchedules(view, nowMs);
    }
  }

  private publishStatus(view: TelemetryView, at: string): void {
    for (const [key, record] of this.statusRecords(view)) {
      const flags = statusFlagsOf(record);
      if (this.lastStatusFlags.get(key) === flags) continue;
      this.lastStatusFlags.set(key, flags);
      this.publish(view.readers, "member_status", at, record);
    }
  }

  private publishSchedules(view: TelemetryView, changed: ReadonlyMap<Instruction, string>, at: string): void {
    const { api, id } = view;
    const vpp = this.world.vpps.findIndex(({ spec }) => spec.vppId === id);
    for (const [instruction, state] of changed) {
      if (instruction.vpp !== vpp || instruction.kind !== "schedule") continue;
      const key = `${api} ${id} ${instruction.scheduleId}`;
      const entry = this.entryOf(instruction) ?? this.lastScheduleEntries.get(key);
      if (entry === undefined) continue;
      this.lastScheduleEntries.set(key, entry);
      this.publish(view.readers, "schedule", at, { ...entry, state });
      if (FINAL_STATES.has(state)) this.lastScheduleEntries.delete(key);
    }
  }

  /** The schedule as the VPP API lists it. */
  private entryOf(instruction: Instruction): WireRecord | undefined {
    const { world, history } = this.host.context;
    const record = history?.schedule(instruction);
    return record === undefined ? undefined : { ...scheduleView(world, record) };
  }

  /** Only schedules that changed are read: a site may have any number (docs/model/overlap.md#many-schedules). */
  private publishSiteSchedules(view: TelemetryView, nowMs: EpochMs): void {
    const { world, history } = this.host.context;
    const site = world.siteById(view.id);
    if (site === undefined || history === undefined) return;
    const changed = new Map<string, SiteScheduleEntry | null>();
    for (const id of this.changes.ownerSchedules.get(site.spec.name) ?? [])
      changed.set(id, ownScheduleEntry(world, site, id));
    for (const instruction of this.changes.schedules.keys())
      if (instruction.kind === "schedule")
        changed.set(instruction.scheduleId, memberScheduleEntry(history, site, instruction));
    const listed = [...changed.values()].filter((entry) => entry !== null);
    for (const entry of listed.sort(compareSiteSchedules)) this.publishSiteSchedule(view, site, entry);
    const at = wireTime(nowMs);
    for (const [id, entry] of changed) {
      const key = `${view.api} ${view.id} ${id}`;
      const last = this.lastScheduleEntries.get(key);
      if (entry !== null || last === undefined) continue;
      this.lastScheduleEntries.delete(key);
      this.publish(view.readers, "schedule", at, { ...last, state: "deleted" });
    }
  }

  private publishSiteSchedule(view: TelemetryView, site: Site, entry: SiteScheduleEntry): void {
    const { nowMs } = this.world;
    const key = `${view.api} ${view.id} ${entry.scheduleId}`;
    const state = nowMs < entry.startMs ? "pending" : nowMs < entry.endMs ? "running" : "completed";
    const record = { ...scheduleViewOfSite(site, entry), state };
    const last = this.lastScheduleEntries.get(key);
    if (last !== undefined && JSON.stringify({ ...last, state: last.state ?? state }) === JSON.stringify(record))
      return;
    if (state === "completed") this.lastScheduleEntries.delete(key);
    else this.lastScheduleEntries.set(key, record);
    this.publish(view.readers, "schedule", wireTime(nowMs), record);
  }
}

const FINAL_STATES = new Set(["completed", "overwritten", "deleted"]);
