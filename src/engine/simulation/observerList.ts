import { Copyable } from "../../base/copyState.ts";
import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../vpp/vpp.ts";
import type { Observer, RunEventKind } from "./observer.ts";

/** Passes events on to some observers, in their order. In a copy of a world the list is emptied, so that they do not see the copy. */
export class ObserverList extends Copyable implements Observer {
  observers: readonly Partial<Observer>[];

  constructor(observers: readonly Partial<Observer>[] = []) {
    super();
    this.observers = observers;
  }

  onAttached(sites: readonly Site[], vpps: readonly Vpp[]): void {
    for (const observer of this.observers) observer.onAttached?.(sites, vpps);
  }

  onSiteChange(site: Site, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onSiteChange?.(site, atMs);
  }

  onInstructionChange(instruction: Instruction, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onInstructionChange?.(instruction, atMs);
  }

  onTrajectoryInterval(fromMs: EpochMs, toMs: EpochMs): void {
    for (const observer of this.observers) observer.onTrajectoryInterval?.(fromMs, toMs);
  }

  onRegistered(instruction: Instruction, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onRegistered?.(instruction, atMs);
  }

  onRefused(origin: InstructionOrigin, kind: RefusalKind, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onRefused?.(origin, kind, atMs);
  }

  onVoided(instruction: Instruction, by: Instruction, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onVoided?.(instruction, by, atMs);
  }

  onOverwritten(instruction: Instruction, by: Instruction, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onOverwritten?.(instruction, by, atMs);
  }

  onDeleted(instruction: Instruction, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onDeleted?.(instruction, atMs);
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onExecuted?.(instruction, atMs);
  }

  onRedispatched(instruction: Instruction, atMs: EpochMs): void {
    for (const observer of this.observers) observer.onRedispatched?.(instruction, atMs);
  }

  onEnded(instruction: Instruction, atMs: EpochMs, by: Instruction | null): void {
    for (const observer of this.observers) observer.onEnded?.(instruction, atMs, by);
  }

  onRunEvent(
    kind: RunEventKind,
    subject: string,
    detail: string,
    atMs: EpochMs,
    scheduleIds?: readonly string[],
  ): void {
    for (const observer of this.observers) observer.onRunEvent?.(kind, subject, detail, atMs, scheduleIds);
  }
}
