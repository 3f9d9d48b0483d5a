import type { EpochMs } from "../../base/time.ts";
import type { Observer, RunEventKind } from "../../simulation/observer.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";

/** Notes what changes at one instant; what it means is read when the instant is settled. */
export class ChangeCollector implements Observer {
  /** While nobody listens nothing is noted. */
  isActive = false;
  readonly sites = new Set<Site>();
  /** Names of sites whose owner's schedules changed, or that the owner took a schedule of its VPP from. */
  readonly ownerScheduleSites = new Set<string>();
  /** The state that each came to last; a schedule cut in two goes on with what is left of it. */
  readonly schedules = new Map<Instruction, string>();
  readonly #publish: (nowMs: EpochMs) => void;

  constructor(tell: (nowMs: EpochMs) => void) {
    this.#publish = tell;
  }

  clear(): void {
    this.sites.clear();
    this.ownerScheduleSites.clear();
    this.schedules.clear();
  }

  /** The instant is settled. */
  flush(nowMs: EpochMs): void {
    if (this.sites.size === 0 && this.schedules.size === 0 && this.ownerScheduleSites.size === 0) return;
    this.#publish(nowMs);
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
    this.#recordState(instruction, "pending");
  }

  onRefused(): void {}

  onVoided(instruction: Instruction): void {
    this.#recordState(instruction, "overwritten");
  }

  onOverwritten(instruction: Instruction): void {
    this.#recordState(instruction, instruction.state);
  }

  onDeleted(instruction: Instruction): void {
    this.#recordState(instruction, "deleted");
  }

  onExecuted(instruction: Instruction): void {
    this.#recordState(instruction, "running");
  }

  onRedispatched(instruction: Instruction): void {
    this.#recordState(instruction, "running");
  }

  onEnded(instruction: Instruction, _atMs: EpochMs, by: Instruction | null): void {
    this.#recordState(instruction, by === null ? "completed" : "overwritten");
  }

  onRunEvent(kind: RunEventKind, subject: string): void {
    if (this.isActive && kind === "direct_schedule") this.ownerScheduleSites.add(subject);
  }

  #recordState(instruction: Instruction, state: string): void {
    if (this.isActive) this.schedules.set(instruction, state);
  }
}
