import type { EpochMs } from "../../../base/time.ts";
import type { Observer, RunEventKind } from "../../../engine/simulation/observer.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";

/** Collects the changes of one instant; their records are read after all events of the instant. */
export class ChangeCollector implements Observer {
  /** False while there are no listeners; changes are then ignored. */
  isActive = false;
  readonly sites = new Set<Site>();
  /** Ids of schedules that an owner changed, or of whose VPP the owner deleted the site's share; by name of the site. */
  readonly ownerSchedules = new Map<string, Set<string>>();
  /** The last state of each schedule; a split schedule continues with its remaining pieces. */
  readonly schedules = new Map<Instruction, string>();
  private readonly publish: (nowMs: EpochMs) => void;

  constructor(publish: (nowMs: EpochMs) => void) {
    this.publish = publish;
  }

  clear(): void {
    this.sites.clear();
    this.ownerSchedules.clear();
    this.schedules.clear();
  }

  /** Publishes the changes of an instant after its last event. */
  flush(nowMs: EpochMs): void {
    if (this.sites.size === 0 && this.schedules.size === 0 && this.ownerSchedules.size === 0) return;
    this.publish(nowMs);
    this.clear();
  }

  onAttached(): void {}

  onSiteChange(site: Site): void {
    if (this.isActive) this.sites.add(site);
  }

  onInstructionChange(): void {}

  onTrajectoryInterval(fromMs: EpochMs): void {
    if (this.isActive) this.flush(fromMs);
  }

  onRegistered(instruction: Instruction): void {
    this.recordState(instruction, "pending");
  }

  onRefused(): void {}

  onVoided(instruction: Instruction): void {
    this.recordState(instruction, "overwritten");
  }

  onOverwritten(instruction: Instruction): void {
    this.recordState(instruction, instruction.state);
  }

  onDeleted(instruction: Instruction): void {
    this.recordState(instruction, "deleted");
  }

  onExecuted(instruction: Instruction): void {
    this.recordState(instruction, "running");
  }

  onRedispatched(instruction: Instruction): void {
    this.recordState(instruction, "running");
  }

  onEnded(instruction: Instruction, _atMs: EpochMs, by: Instruction | null): void {
    this.recordState(instruction, by === null ? "completed" : "overwritten");
  }

  onRunEvent(
    kind: RunEventKind,
    subject: string,
    _detail: string,
    _atMs: EpochMs,
    scheduleIds: readonly string[] = [],
  ): void {
    if (!this.isActive || kind !== "direct_schedule") return;
    const known = this.ownerSchedules.get(subject);
    if (known === undefined) this.ownerSchedules.set(subject, new Set(scheduleIds));
    else for (const id of scheduleIds) known.add(id);
  }

  private recordState(instruction: Instruction, state: string): void {
    if (this.isActive) this.schedules.set(instruction, state);
  }
}
