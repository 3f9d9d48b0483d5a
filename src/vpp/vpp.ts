import { Copyable } from "../base/copyState.ts";
import { hexId } from "../base/ids.ts";
import { append } from "../base/lists.ts";
import type { EpochMs } from "../base/time.ts";
import type { IdIssuer, Instruction, InstructionKind, Membership } from "./instructions/instruction.ts";
import type { ResourceType, VppOptions, VppSpec } from "./vppSpec.ts";

/** A site registered in a VPP. */
export interface Member {
  readonly site: number;
  label: string;
  readonly resourceType: ResourceType;
  allocationWeight: number;
  readonly registeredMs: EpochMs;
}

/** An executed schedule that is over, or a piece of one. */
export interface EndedSchedule {
  readonly serial: number;
  /** Made when somebody asks. */
  scheduleId: string | null;
  readonly startMs: EpochMs;
  readonly registration: number;
  /** Who was told, by index of the world. */
  readonly siteIndices: Int32Array;
}

const NONE: readonly Instruction[] = [];

/** Adds those that have time in common with a period; where there is none, as mostly, nothing is copied. */
function addOverlapping(
  found: readonly Instruction[],
  known: readonly Instruction[],
  startMs: EpochMs,
  endMs: EpochMs,
): readonly Instruction[] {
  let all = found;
  for (const instruction of known)
    if (instruction.startMs < endMs && startMs < instruction.endMs) all = [...all, instruction];
  return all;
}

/** One virtual power plant while the world runs: who belongs to it and what it executes. */
export class Vpp extends Copyable implements IdIssuer {
  readonly index: number;
  readonly spec: VppSpec;
  /** Those of the spec, until a study changes them on the way. */
  options: VppOptions;
  readonly members: Member[];
  /** Registered schedules that have not started, as they came; `await` adds to them. */
  readonly pendingSchedules: Instruction[] = [];
  /** Running schedules in order of registration; several only where their products coexist. */
  readonly runningSchedules: Instruction[] = [];
  runningImmediate: Instruction | null = null;
  /** What the last instruction that was executed runs, or ran, with. */
  lastMembership: Membership | null = null;
  /** The whole minute for which an evaluation has been queued last; NaN before the first. */
  queuedEvaluationMs: EpochMs = Number.NaN;
  private cachedMembership: Membership | null = null;
  /** No schedule that ever waited ends later: cuts only shorten. */
  private latestPendingEndMs: EpochMs = Number.NEGATIVE_INFINITY;

  private readonly seed: number;
  private readonly endedSchedules: EndedSchedule[] = [];
  /** Orders accepted so far, by kind: what their ids are made from. */
  private readonly serials = { schedule: 0, immediate: 0 };

  constructor(index: number, spec: VppSpec, { startMs, seed }: { startMs: EpochMs; seed: number }) {
    super();
    this.index = index;
    this.spec = spec;
    this.options = spec.options;
    this.seed = seed;
    // Written out, not spread: objects of one make are read at full speed.
    this.members = spec.members.map(({ site, label, resourceType, allocationWeight }) => ({
      site,
      label,
      resourceType,
      allocationWeight,
      registeredMs: startMs,
    }));
  }

  nextSerial(kind: InstructionKind): number {
    return this.serials[kind]++;
  }

  /** The id that the next accepted order of a kind will have. */
  nextInstructionId(kind: InstructionKind): string {
    return this.instructionId(kind, this.serials[kind]);
  }

  /** A schedule that was executed is over, or what is left of it is. */
  recordEnded({ serial, issuedScheduleId: knownScheduleId, startMs, registration, membership }: Instruction): void {
    this.endedSchedules.push({
      serial,
      scheduleId: knownScheduleId,
      startMs,
      registration,
      siteIndices: membership.siteIndices,
    });
  }

  /** The schedule of this id that was executed and is over. */
  endedSchedule(scheduleId: string): EndedSchedule | undefined {
    return this.endedSchedules.find((ended) => {
      ended.scheduleId ??= this.instructionId("schedule", ended.serial);
      return ended.scheduleId === scheduleId;
    });
  }

  /** The id of the n-th order of a kind, 32 hex digits (docs/model/time.md#reproducibility). */
  instructionId(kind: InstructionKind, serial: number): string {
    return hexId(`${this.seed}:${this.spec.vppId}:${kind}:${serial}`);
  }

  /** What is in force: schedules and immediate instructions never run together. */
  get runningInstructions(): readonly Instruction[] {
    return this.runningImmediate === null ? this.runningSchedules : [this.runningImmediate];
  }

  /** A registered schedule, or a piece of one, waits for its start. */
  addPending(instruction: Instruction): void {
    append(this.pendingSchedules, instruction);
    this.latestPendingEndMs = Math.max(this.latestPendingEndMs, instruction.endMs);
  }

  /**
   * Schedules that are not over and have time in common with a period. A year of them mostly comes in the order of their
   * starts: then nobody looks through those that wait.
   */
  schedulesWithin(startMs: EpochMs, endMs: EpochMs): readonly Instruction[] {
    let found = NONE;
    if (startMs < this.latestPendingEndMs) found = addOverlapping(found, this.pendingSchedules, startMs, endMs);
    return addOverlapping(found, this.runningSchedules, startMs, endMs);
  }

  findMember(site: number): Member | undefined {
    return this.members.find((member) => member.site === site);
  }

  /** The members and weights as they are now, frozen: an instruction that starts keeps them. */
  get membership(): Membership {
    if (this.cachedMembership === null) {
      const weights = Float64Array.from(this.members, (member) => member.allocationWeight);
      let weightSum = 0;
      for (const weight of weights) weightSum += weight;
      const sites = Int32Array.from(this.members, (member) => member.site);
      const labels = this.members.map(({ label }) => label);
      this.cachedMembership = { siteIndices: sites, weights, weightSum, labels, runningInstructions: [] };
    }
    return this.cachedMembership;
  }

  setWeight(member: Member, allocationWeight: number): void {
    member.allocationWeight = allocationWeight;
    this.cachedMembership = null;
  }

  setLabel(member: Member, label: string): void {
    member.label = label;
    this.cachedMembership = null;
  }

  addMember(member: Member): void {
    this.members.push(member);
    this.cachedMembership = null;
  }

  removeMember(member: Member): void {
    this.members.splice(this.members.indexOf(member), 1);
    this.cachedMembership = null;
  }
}
