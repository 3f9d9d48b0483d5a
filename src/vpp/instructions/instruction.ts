import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { RefusalKind } from "../../base/result.ts";
import { toTenths } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { SiteOrder } from "../../site/orders/siteOrder.ts";
import type { MemberState } from "../memberMachine.ts";
import type { ImmediateState } from "./immediateMachine.ts";
import type { InstructionOrigin } from "./instructionSpec.ts";
import type { ScheduleState } from "./scheduleMachine.ts";

/** What became of a member in a dispatch; small numbers because there are many. */
export const DISPATCH_OUTCOME = {
  dispatched: 0,
  outOfService: 1,
  weightZero: 2,
  baselineMissing: 3,
  incompatible: 4,
  /** The site's own refusal; the API shows `skipped_incompatible` with its reason. */
  refused: 5,
  failed: 6,
} as const;

export const DISPATCH_STATUS = [
  "dispatched",
  "skipped_out_of_service",
  "skipped_weight_zero",
  "skipped_baseline_missing",
  "skipped_incompatible",
  "skipped_incompatible",
  "failed",
] as const;

/** The registered members and weights at one time; shared by all instructions that start while nothing changes. */
export interface Membership {
  /** Index of each member's site, in order of registration. */
  readonly siteIndices: Int32Array;
  readonly weights: Float64Array;
  readonly weightSum: number;
  readonly labels: readonly string[];
  /** The instructions that run with it, in order of execution; whoever executes them keeps this list. */
  readonly runningInstructions: Instruction[];
}

export const EMPTY_MEMBERSHIP: Membership = {
  siteIndices: new Int32Array(0),
  weights: new Float64Array(0),
  weightSum: 0,
  labels: [],
  runningInstructions: [],
};

/** What bound a member's capability where its share was cut (docs/model/accounting.md#attribution, the layer at dispatch). */
export const CAPABILITY_LIMIT = { none: 0, energy: 1, weather: 2, outputControl: 3, power: 4, otherAward: 5 } as const;

/** Widths of frequency response by member; one entry per member, in order of registration. */
export class FcrCapacityTable extends Copyable {
  /** Whole tenths of kW in force, two-sided; 0 where nothing is. */
  readonly capacityTenths: Int32Array;
  /** Whole tenths that the member could have held when it was last dispatched. */
  readonly capabilityTenths: Int32Array;
  readonly capabilityLimit: Uint8Array;
  /** Which parts of the instruction the member takes part in. */
  readonly services: Uint8Array;

  constructor(count: number) {
    super();
    this.capacityTenths = new Int32Array(count);
    this.capabilityTenths = new Int32Array(count);
    this.capabilityLimit = new Uint8Array(count);
    this.services = new Uint8Array(count);
  }

  reset(): void {
    this.capacityTenths.fill(0);
    this.capabilityTenths.fill(0);
    this.capabilityLimit.fill(CAPABILITY_LIMIT.none);
    this.services.fill(0);
  }
}

/** Parts of an instruction that a member can take part in, as bits (docs/model/allocation.md#compound). */
export const SERVICE = { delta: 1, fcr: 2 } as const;

/** How each member of an instruction was dispatched; one entry per member, in order of registration. */
export class DispatchTable extends Copyable {
  readonly status: Uint8Array;
  /** Widths, where the instruction has any. */
  readonly fcrCapacities: FcrCapacityTable | null;
  /** Signed tenths of kW in force; 0 where nothing is. */
  readonly deltaTenths: Int32Array;
  /** Whole tenths of kW the member could have taken when it was last dispatched. */
  readonly capabilityTenths: Int32Array;
  readonly capabilityLimit: Uint8Array;
  readonly baselineKw: Float64Array;
  /** Why a site refused, where one did. */
  readonly refusals: (RefusalKind | null)[];
  readonly memberStates: MemberState[];
  /** Whether anybody has refused or gone away. */
  private hasExceptions = false;

  /** What became of a member as to the change of power; one that takes the width alone is left out of that. */
  deltaStatus(i: number): number {
    return this.fcrCapacities === null ? this.status[i] : this.serviceStatus(this.fcrCapacities, i, SERVICE.delta);
  }

  /** The same as to the width. */
  fcrStatus(i: number): number {
    return this.fcrCapacities === null
      ? DISPATCH_OUTCOME.incompatible
      : this.serviceStatus(this.fcrCapacities, i, SERVICE.fcr);
  }

  private serviceStatus({ services: parts }: FcrCapacityTable, i: number, part: number): number {
    const status = this.status[i];
    return status === DISPATCH_OUTCOME.dispatched && (parts[i] & part) === 0 ? DISPATCH_OUTCOME.incompatible : status;
  }

  readonly memberCount: number;

  constructor(count: number, seen: MemberState, hasFcr: boolean) {
    super();
    this.memberCount = count;
    this.fcrCapacities = hasFcr ? new FcrCapacityTable(count) : null;
    // One piece of memory for all: a year of awards makes tens of thousands of tables.
    const memory = new ArrayBuffer(18 * count);
    this.baselineKw = new Float64Array(memory, 0, count);
    this.deltaTenths = new Int32Array(memory, 8 * count, count);
    this.capabilityTenths = new Int32Array(memory, 12 * count, count);
    this.status = new Uint8Array(memory, 16 * count, count);
    this.capabilityLimit = new Uint8Array(memory, 17 * count, count);
    this.refusals = new Array<RefusalKind | null>(count).fill(null);
    this.memberStates = new Array<MemberState>(count).fill(seen);
  }

  /**
   * Begins anew, whatever stood here before.
   *
   * @param sites       of the members, in order of registration
   * @param baselinesKw one per site of the world
   */
  reset(sites: Int32Array, baselinesKw: Float64Array, seen: MemberState): void {
    const { baselineKw, deltaTenths, capabilityTenths, status, capabilityLimit: cutBy } = this;
    for (let i = 0; i < baselineKw.length; i++) {
      baselineKw[i] = baselinesKw[sites[i]];
      deltaTenths[i] = 0;
      capabilityTenths[i] = 0;
      status[i] = 0;
      cutBy[i] = 0;
    }
    if (this.hasExceptions) {
      this.refusals.fill(null);
      this.memberStates.fill(seen);
      this.hasExceptions = false;
    }
    this.fcrCapacities?.reset();
  }

  /** Notes how the instruction sees a member now. */
  setMemberState(i: number, seen: MemberState): void {
    this.hasExceptions = true;
    this.memberStates[i] = seen;
  }

  /** Notes why a site refused, or that it took what it was told. */
  recordRefusal(i: number, refusal: RefusalKind | null): void {
    if (refusal === null && !this.hasExceptions) return;
    this.hasExceptions = true;
    this.refusals[i] = refusal;
  }
}

/** What an execution at the registration would have done. */
export interface DispatchPlan {
  readonly membership: Membership;
  readonly table: DispatchTable;
  /** Signed tenths that nobody would have carried, and tenths of the width. */
  readonly uncoveredTenths: number;
  readonly fcrUncoveredTenths: number;
}

export type InstructionKind = "schedule" | "immediate";

/** Who numbers orders and makes their ids. */
export interface IdIssuer {
  instructionId(kind: InstructionKind, serial: number): string;
}

/**
 * One award, schedule or immediate instruction of a VPP from its registration on.
 *
 * The kW are the request's; who carries what is in `table` from the execution on.
 */
export class Instruction extends Copyable implements SiteOrder {
  readonly origin: InstructionOrigin;
  readonly kind: InstructionKind;
  readonly vpp: number;
  readonly issuer: IdIssuer;
  /** Counts the orders of its kind at the VPP. */
  readonly serial: number;
  /** Counts all that were ever registered in a world, pieces too: what events and books know it by. -1 before. */
  orderNumber = -1;
  /** Where its award stands among the figures of the run; noted by who keeps them, which is the same for all who do. */
  figuresIndex = -1;
  /** Whether it took the id of one that it replaced. */
  readonly hasInheritedId: boolean;
  readonly sku: Sku | null;
  /** Both move when another schedule cuts into this one. */
  startMs: EpochMs;
  endMs: EpochMs;
  /** Signed tenths of kW; 0 for one of frequency response alone. */
  readonly deltaTenths: number;
  /** Two-sided width of frequency response in tenths of kW; `null` for one without. */
  readonly fcrCapacityTenths: number | null;
  readonly registeredMs: EpochMs;
  readonly registration: number;
  activation = 1;
  state: ScheduleState | ImmediateState;
  /** Baseline sent for each site (index of the world), in kW; NaN where none was. */
  baselinesKw: Float64Array;
  membership: Membership = EMPTY_MEMBERSHIP;
  table: DispatchTable | null = null;
  /** Signed tenths that nobody carries now, and at the execution. */
  uncoveredTenths = 0;
  uncoveredAtStartTenths = 0;
  /** Tenths of the width that nobody holds now, and at the execution; at least 0. */
  fcrUncoveredTenths = 0;
  fcrUncoveredAtStartTenths = 0;
  executedMs: EpochMs = Number.NaN;
  /** Its account has been brought to this instant. */
  accountedToMs: EpochMs = Number.NaN;
  /** What it showed before its start; `null` where nobody wanted to see it. */
  plan: DispatchPlan | null = null;
  private issuedId: string | null;

  constructor(options: {
    /** Whoever took it has asked `checkAmounts`. */
    origin: InstructionOrigin;
    kind: InstructionKind;
    vpp: number;
    issuer: IdIssuer;
    serial: number;
    /** A schedule of the same period that this one replaces and whose id it takes over. */
    inheritedFrom: Instruction | null;
    startMs: EpochMs;
    endMs: EpochMs;
    registeredMs: EpochMs;
    registration: number;
    state: ScheduleState | ImmediateState;
    baselinesKw: Float64Array;
  }) {
    super();
    const { origin } = options;
    const { sku, deltaKw, fcrResponseKw } = origin;
    assert((deltaKw === null) === (sku === "fcr"), "all but frequency response alone have a delta");
    this.origin = origin;
    this.kind = options.kind;
    this.vpp = options.vpp;
    this.issuer = options.issuer;
    this.serial = options.serial;
    this.hasInheritedId = options.inheritedFrom !== null;
    this.issuedId = options.inheritedFrom?.scheduleId ?? null;
    this.sku = sku;
    this.startMs = options.startMs;
    this.endMs = options.endMs;
    this.deltaTenths = toTenths(deltaKw ?? 0);
    this.fcrCapacityTenths = fcrResponseKw === null ? null : toTenths(fcrResponseKw);
    this.registeredMs = options.registeredMs;
    this.registration = options.registration;
    this.state = options.state;
    this.baselinesKw = options.baselinesKw;
  }

  /** As reports name it: the award's id. */
  get awardId(): string {
    return this.origin.awardId;
  }

  /** What a compound is made of, kW by part; kept for the record. */
  get compoundBreakdown(): Readonly<Record<string, number>> | null {
    return this.origin.compoundBreakdown;
  }

  /** The rear piece that another schedule leaves of this one: its own entry, with all that the parent was given. */
  createRearPiece({ startMs, endMs, serial }: { startMs: EpochMs; endMs: EpochMs; serial: number }): Instruction {
    const piece = new Instruction({ ...this, startMs, endMs, serial, inheritedFrom: null, state: "pending" });
    piece.plan = this.plan;
    return piece;
  }

  /** 32 hex digits by which the API knows it; made when somebody asks. */
  get scheduleId(): string {
    this.issuedId ??= this.issuer.instructionId(this.kind, this.serial);
    return this.issuedId;
  }

  /** The same where it has been made already. */
  get issuedScheduleId(): string | null {
    return this.issuedId;
  }

  /** Whether a change of power is asked, be it 0; one of frequency response alone asks none. */
  get hasDelta(): boolean {
    return this.sku !== "fcr";
  }

  get direction(): number {
    return Math.sign(this.deltaTenths);
  }
}
