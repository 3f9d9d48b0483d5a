import { Copyable } from "../../base/copyState.ts";
import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import { LIMITING_FACTOR } from "../../engine/device/curve/limitingFactor.ts";
import type { Observer, RunEventKind } from "../../engine/simulation/observer.ts";
import type { Storage } from "../../engine/site/components/capabilities.ts";
import type { Site } from "../../engine/site/site.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import type { RunEvent } from "../runRecord.ts";
import { reductionKwOf } from "./reductionRecorder.ts";
import { BLOCK_ROWS, BlockBuffer, type BlockSink, instantColumn } from "./tableBlock.ts";

interface LoggedEvent extends RunEvent {
  /** Whether events.csv has it. */
  readonly isInFile: boolean;
}

/** Events of a run in order of time; simultaneous events in the order in which they were added. */
export class EventLog {
  private events: LoggedEvent[] = [];
  private readonly eventsMax: number;
  private wasReducing = new Map<Site, boolean>();
  /** Storages that were at a bound when their last trajectory ended. */
  private atBound = new Set<Storage>();

  /** @param eventsMax  the oldest events beyond this number are dropped */
  constructor(eventsMax = Number.POSITIVE_INFINITY) {
    this.eventsMax = eventsMax;
  }

  addEvent(atMs: EpochMs, kind: string, subject: string, detail: string): void {
    this.push({ atMs, kind, subject, detail, isInFile: true });
  }

  /** Adds the start or end of an instruction, which the record has and events.csv has not. */
  addExecution(atMs: EpochMs, kind: "started" | "ended", subject: string, detail: string): void {
    this.push({ atMs, kind, subject, detail, isInFile: false });
  }

  private push(event: LoggedEvent): void {
    this.events.push(event);
    // A tenth more is stored, so that not every event moves the whole list.
    if (this.events.length > 1.1 * this.eventsMax) this.events = this.events.slice(-this.eventsMax);
  }

  /** Derives events from a site's trajectory at its end: storage bounds reached, reductions that began or ended. */
  addTrajectoryEvents(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const { resource } = site;
    if (resource.composite === null) {
      if (resource.storage !== null) this.addBoundEvents(site, resource.storage, fromMs, toMs);
    } else
      for (const { storage } of resource.components)
        if (storage !== null) this.addBoundEvents(site, storage, fromMs, toMs);
    if (resource.hasLoad) this.addReductionEvent(site, fromMs);
  }

  private addBoundEvents(site: Site, storage: Storage, fromMs: EpochMs, toMs: EpochMs): void {
    const { trajectory } = storage;
    const wasAtBoundBefore = this.atBound.has(storage);
    let wasAtBound = wasAtBoundBefore;
    for (let k = 0; k < trajectory.count && trajectory.startMsOf(k) < toMs; k++) {
      if (k + 1 < trajectory.count && trajectory.startMsOf(k + 1) <= fromMs) continue;
      const atBound = trajectory.limitedByOf(k) === LIMITING_FACTOR.socBound;
      if (atBound && !wasAtBound) {
        const isEmpty = trajectory.storedKwhAt(trajectory.startMsOf(k)) < storage.midpointKwh;
        const componentPrefix = site.resource.composite === null ? "" : `${storage.spec.componentId}: `;
        this.addEvent(
          Math.ceil(trajectory.startMsOf(k)),
          "soc_bound",
          site.spec.name,
          `${componentPrefix}${isEmpty ? "empty" : "full"}`,
        );
      }
      wasAtBound = atBound;
    }
    if (wasAtBound === wasAtBoundBefore) return;
    if (wasAtBound) this.atBound.add(storage);
    else this.atBound.delete(storage);
  }

  private addReductionEvent(site: Site, fromMs: EpochMs): void {
    const { reducing, endedMs } = site.reduction;
    const wasReducing = this.wasReducing.get(site) ?? false;
    if (wasReducing === reducing) return;
    this.wasReducing.set(site, reducing);
    if (reducing) this.addEvent(fromMs, "dr_event", site.spec.name, `begins, ${reductionKwOf(site)} kW`);
    else this.addEvent(endedMs, "dr_event", site.spec.name, "ends");
  }

  /**
   * The rows of events.csv about some sites and awards if the run ended now, in order of time. Changes nothing.
   *
   * @param open  sites in their order, with the start of their present trajectories, whose events are not in the log yet
   */
  rowsAbout(
    subjects: ReadonlySet<string>,
    open: readonly { readonly site: Site; readonly fromMs: EpochMs }[],
    nowMs: EpochMs,
  ): readonly RunEvent[] {
    const rest = new EventLog();
    rest.wasReducing = new Map(this.wasReducing);
    rest.atBound = new Set(this.atBound);
    for (const { site, fromMs } of open) rest.addTrajectoryEvents(site, fromMs, nowMs);
    const isWanted = ({ isInFile, subject }: LoggedEvent): boolean => isInFile && subjects.has(subject);
    const found = [...this.events.filter(isWanted), ...rest.events.filter(isWanted)];
    return found.sort((a, b) => a.atMs - b.atMs);
  }

  /** All events in order of time. */
  sorted(): readonly LoggedEvent[] {
    // The sort is stable.
    return [...this.events].sort((a, b) => a.atMs - b.atMs);
  }

  writeTo(sink: BlockSink): void {
    const sorted = this.sorted().filter(({ isInFile }) => isInFile);
    const at = instantColumn("timestamp");
    const kind: string[] = [];
    const subject: string[] = [];
    const detail: string[] = [];
    const buffer = new BlockBuffer(
      sink,
      [
        at,
        { name: "kind", kind: "text", values: kind },
        { name: "subject", kind: "text", values: subject },
        { name: "detail", kind: "text", values: detail },
      ],
      BLOCK_ROWS,
    );
    for (const event of sorted) {
      const row = buffer.nextRow();
      at.values[row] = event.atMs;
      kind[row] = event.kind;
      subject[row] = event.subject;
      detail[row] = event.detail;
    }
    buffer.flush();
  }
}

/** Writes what an observer is notified of into an event log. */
export class RunEventRecorder extends Copyable implements Partial<Observer> {
  readonly log: EventLog;

  /** @param eventsMax  the oldest events beyond this number are dropped */
  constructor(eventsMax = Number.POSITIVE_INFINITY) {
    super();
    this.log = new EventLog(eventsMax);
  }

  onRegistered({ awardId, kind }: Instruction, atMs: EpochMs): void {
    this.log.addEvent(atMs, "schedule_created", awardId, kind);
  }

  onRefused({ awardId }: InstructionOrigin, kind: RefusalKind, atMs: EpochMs): void {
    this.log.addEvent(atMs, "refusal", awardId, kind);
  }

  onVoided({ awardId }: Instruction, by: Instruction, atMs: EpochMs): void {
    this.log.addEvent(atMs, "refusal", awardId, `without effect: ${by.awardId} is running`);
  }

  /**
   * An overwritten award with no remaining piece is logged as deleted, like the answer to its caller
   * (docs/model/overlap.md#resolution).
   */
  onOverwritten({ awardId, state }: Instruction, by: Instruction, atMs: EpochMs): void {
    const kind = state === "overwritten" ? "schedule_deleted" : "schedule_split";
    this.log.addEvent(atMs, kind, awardId, `overwritten by ${by.awardId}`);
  }

  onDeleted({ awardId }: Instruction, atMs: EpochMs): void {
    this.log.addEvent(atMs, "schedule_deleted", awardId, "before its start");
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    this.log.addExecution(atMs, "started", instruction.awardId, uncoveredText(instruction));
  }

  onRedispatched(instruction: Instruction, atMs: EpochMs): void {
    this.log.addEvent(atMs, "redispatch", instruction.awardId, uncoveredText(instruction));
  }

  onEnded({ awardId, state }: Instruction, atMs: EpochMs, by: Instruction | null): void {
    const reason = by !== null ? `replaced by ${by.awardId}` : state === "deleted" ? "deleted" : "";
    this.log.addExecution(atMs, "ended", awardId, reason);
  }

  onRunEvent(kind: RunEventKind, subject: string, detail: string, atMs: EpochMs): void {
    this.log.addEvent(atMs, kind, subject, detail);
  }
}

/** Text of the delta that is uncovered now, and of the FCR capacity where the instruction has one. */
function uncoveredText({ hasDelta, fcrCapacityTenths, uncoveredTenths, fcrUncoveredTenths }: Instruction): string {
  const fcrText = `${fcrUncoveredTenths / 10} kW`;
  if (!hasDelta) return `${fcrText} uncovered`;
  return `${uncoveredTenths / 10} kW uncovered${fcrCapacityTenths === null ? "" : `, ${fcrText} of its FCR capacity`}`;
}
