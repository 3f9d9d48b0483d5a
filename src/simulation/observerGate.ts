import { Copyable } from "../base/copyState.ts";
import type { RefusalKind } from "../base/result.ts";
import type { EpochMs } from "../base/time.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../vpp/vpp.ts";
import type { Observer, RunEventKind } from "./observer.ts";

/** Passes events on to an observer. In a copy of a world its gate is replaced, so that the observer does not see the copy. */
export class ObserverGate extends Copyable implements Observer {
  target: Observer;

  constructor(target: Observer) {
    super();
    this.target = target;
  }

  onAttached(sites: readonly Site[], vpps: readonly Vpp[]): void {
    this.target.onAttached(sites, vpps);
  }

  onSiteChange(site: Site, atMs: EpochMs): void {
    this.target.onSiteChange(site, atMs);
  }

  onInstructionChange(instruction: Instruction, atMs: EpochMs): void {
    this.target.onInstructionChange(instruction, atMs);
  }

  onTrajectoryInterval(fromMs: EpochMs, toMs: EpochMs): void {
    this.target.onTrajectoryInterval(fromMs, toMs);
  }

  onRegistered(instruction: Instruction, atMs: EpochMs): void {
    this.target.onRegistered(instruction, atMs);
  }

  onRefused(origin: InstructionOrigin, kind: RefusalKind, atMs: EpochMs): void {
    this.target.onRefused(origin, kind, atMs);
  }

  onVoided(instruction: Instruction, by: Instruction, atMs: EpochMs): void {
    this.target.onVoided(instruction, by, atMs);
  }

  onOverwritten(instruction: Instruction, by: Instruction, atMs: EpochMs): void {
    this.target.onOverwritten(instruction, by, atMs);
  }

  onDeleted(instruction: Instruction, atMs: EpochMs): void {
    this.target.onDeleted(instruction, atMs);
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    this.target.onExecuted(instruction, atMs);
  }

  onRedispatched(instruction: Instruction, atMs: EpochMs): void {
    this.target.onRedispatched(instruction, atMs);
  }

  onEnded(instruction: Instruction, atMs: EpochMs, by: Instruction | null): void {
    this.target.onEnded(instruction, atMs, by);
  }

  onRunEvent(
    kind: RunEventKind,
    subject: string,
    detail: string,
    atMs: EpochMs,
    scheduleIds?: readonly string[],
  ): void {
    this.target.onRunEvent(kind, subject, detail, atMs, scheduleIds);
  }
}
