import { Copyable } from "../../base/copyState.ts";
import { hexId } from "../../base/ids.ts";
import type { EpochMs } from "../../base/time.ts";
import { ScheduleList } from "../site/orders/scheduleList.ts";
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

/** An executed schedule, or a piece of one, after its end. */
export interface EndedSchedule {
  readonly serial: number;
  /** `null`: computed from the serial on first use. */
  readonly scheduleId: string | null;
  readonly startMs: EpochMs;
  readonly registration: number;
  /** Index of each member's site. */
  readonly siteIndices: Int32Array;
}

/** State of a virtual power plant during a run: its members and its instructions. */
export class Vpp extends Copyable implements IdIssuer {
  readonly index: number;
  readonly spec: VppSpec;
  /** The options of the spec, until a study changes them during the run. */
  options: VppOptions;
  readonly members: Member[];
  /** Registered schedules that have not started, in order of registration. */
  readonly pendingSchedules = new ScheduleList<Instruction>();
  /** Running schedules in order of registration; several only if their products coexist. */
  readonly runningSchedules: Instruction[] = [];
  runningImmediate: Instruction | null = null;
  /** The membership of the last executed instruction. */
  lastMembership: Membership | null = null;
  /** The minute of the evaluation queued last; NaN before the first. */
  queuedEvaluationMs: EpochMs = Number.NaN;
  private cachedMembership: Membership | null = null;

  private readonly seed: number;
  private readonly endedById = new Map<string, EndedSchedule>();
  /** Those not in `endedById` yet: computing an id takes longer than executing many a schedule. */
  private endedWithoutId: EndedSchedule[] = [];
  /** Number of accepted orders by kind; ids are derived from it. */
  private readonly serials = { schedule: 0, immediate: 0 };

  constructor(index: number, spec: VppSpec, { startMs, seed }: { startMs: EpochMs; seed: number }) {
    super();
    this.index = index;
    this.spec = spec;
    this.options = spec.options;
    this.seed = seed;
    // The fields are listed instead of spread so that all members have one object shape.
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

  /** Records the end of an executed schedule or of a piece of one. */
  recordEnded({ serial, issuedScheduleId, startMs, registration, membership }: Instruction): void {
    this.endedWithoutId.push({
      serial,
      scheduleId: issuedScheduleId,
      startMs,
      registration,
      siteIndices: membership.siteIndices,
    });
  }

  /** The executed schedule with this id, after its end. */
  endedSchedule(scheduleId: string): EndedSchedule | undefined {
    for (const ended of this.endedWithoutId) {
      const id = ended.scheduleId ?? this.instructionId("schedule", ended.serial);
      // Of pieces with one id the first one counts.
      if (!this.endedById.has(id)) this.endedById.set(id, ended);
    }
    this.endedWithoutId = [];
    return this.endedById.get(scheduleId);
  }

  /** The id of the n-th order of a kind, 32 hex digits (docs/model/time.md#reproducibility). */
  instructionId(kind: InstructionKind, serial: number): string {
    return hexId(`${this.seed}:${this.spec.vppId}:${kind}:${serial}`);
  }

  /** Schedules and immediate instructions never run together. */
  get runningInstructions(): readonly Instruction[] {
    return this.runningImmediate === null ? this.runningSchedules : [this.runningImmediate];
  }

  /** Pending and running schedules that overlap a period. */
  overlapping(startMs: EpochMs, endMs: EpochMs): readonly Instruction[] {
    let found = this.pendingSchedules.overlapping(startMs, endMs);
    // Usually there are none, and nothing is copied.
    for (const running of this.runningSchedules)
      if (running.startMs < endMs && startMs < running.endMs) found = [...found, running];
    return found;
  }

  /** A pending or running schedule. */
  findSchedule(scheduleId: string): Instruction | undefined {
    return (
      this.runningSchedules.find((running) => running.scheduleId === scheduleId) ??
      this.pendingSchedules.find(scheduleId)
    );
  }

  findMember(site: number): Member | undefined {
    return this.members.find((member) => member.site === site);
  }

  /** The current members and weights as an immutable value, which a starting instruction uses until its end. */
  get membership(): Membership {
    if (this.cachedMembership === null) {
      const weights = Float64Array.from(this.members, (member) => member.allocationWeight);
      let weightSum = 0;
      for (const weight of weights) weightSum += weight;
      const sites = Int32Array.from(this.members, (member) => member.site);
      const labels = this.members.map(({ label }) => label);
      this.cachedMembership = {
        siteIndices: sites,
        weights,
        weightSum,
        labels,
        runningInstructions: [],
        announcedMs: Number.NaN,
      };
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
