import type { EpochMs } from "../../base/time.ts";
import type { HappeningKind, Observer } from "../../simulation/observer.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";

/** Notes what changes at one instant; what it means is read when the instant is settled. */
export class Changes implements Observer {
  /** While nobody listens nothing is noted. */
  active = false;
  readonly sites = new Set<Site>();
  /** Names of sites whose owner's schedules changed, or that the owner took a schedule of its VPP from. */
  readonly owners = new Set<string>();
  /** The state that each came to last; a schedule cut in two goes on with what is left of it. */
  readonly schedules = new Map<Instruction, string>();
  readonly #tell: (nowMs: EpochMs) => void;

  constructor(tell: (nowMs: EpochMs) => void) {
    this.#tell = tell;
  }

  clear(): void {
    this.sites.clear();
    this.owners.clear();
    this.schedules.clear();
  }

  /** The instant is settled. */
  flush(nowMs: EpochMs): void {
    if (this.sites.size === 0 && this.schedules.size === 0 && this.owners.size === 0) return;
    this.#tell(nowMs);
    this.clear();
  }

  attached(): void {}

  siteCloses(site: Site): void {
    if (this.active) this.sites.add(site);
  }

  instructionCloses(): void {}

  lawsHold(fromMs: EpochMs): void {
    if (this.active) this.flush(fromMs);
  }

  registered(instruction: Instruction): void {
    this.#note(instruction, "pending");
  }

  refused(): void {}

  voided(instruction: Instruction): void {
    this.#note(instruction, "overwritten");
  }

  overwritten(instruction: Instruction): void {
    this.#note(instruction, instruction.state);
  }

  deleted(instruction: Instruction): void {
    this.#note(instruction, "deleted");
  }

  executed(instruction: Instruction): void {
    this.#note(instruction, "running");
  }

  redispatched(instruction: Instruction): void {
    this.#note(instruction, "running");
  }

  ended(instruction: Instruction, _atMs: EpochMs, by: Instruction | null): void {
    this.#note(instruction, by === null ? "completed" : "overwritten");
  }

  happened(kind: HappeningKind, subject: string): void {
    if (this.active && kind === "direct_schedule") this.owners.add(subject);
  }

  #note(instruction: Instruction, state: string): void {
    if (this.active) this.schedules.set(instruction, state);
  }
}
