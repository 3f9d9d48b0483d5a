import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";
import type { RefusalKind } from "../../../base/result.ts";
import { toTenths } from "../../../base/rounding.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import { CAPABILITY_LIMIT } from "../../site/components/capabilities.ts";
import type { SiteOrder } from "../../site/orders/siteOrder.ts";
import type { MemberState } from "../memberMachine.ts";
import type { ImmediateState } from "./immediateMachine.ts";
import type { InstructionOrigin } from "./instructionSpec.ts";
import type { ScheduleState } from "./scheduleMachine.ts";

/** Result of a dispatch for one member; numbers, so that a table stores them in a `Uint8Array`. */
export const DISPATCH_OUTCOME = {
  dispatched: 0,
  outOfService: 1,
  weightZero: 2,
  baselineMissing: 3,
  incompatible: 4,
  /** Refused by the site; the API shows `skipped_incompatible` with the site's reason. */
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

/** The registered members and weights at one time; shared by all instructions that start before the next change. */
export interface Membership {
  /** Index of each member's site, in order of registration. */
  readonly siteIndices: Int32Array;
  readonly weights: Float64Array;
  readonly weightSum: number;
  readonly labels: readonly string[];
  /** The running instructions with these members, in order of execution; updated by `InstructionLifecycle`. */
  readonly runningInstructions: Instruction[];
  /** When the observer was last notified of all of them. */
  announcedMs: EpochMs;
}

export const EMPTY_MEMBERSHIP: Membership = {
  siteIndices: new Int32Array(0),
  weights: new Float64Array(0),
  weightSum: 0,
  labels: [],
  runningInstructions: [],
  announcedMs: Number.NaN,
};

/** FCR capacities of an instruction; one entry per member, in order of registration. */
export class FcrCapacityTable extends Copyable {
  /** FCR capacity in force in whole tenths of kW, the same in both directions; 0 if none. */
  readonly capacityTenths: Int32Array;
  /** FCR capability at the last dispatch, in whole tenths of kW. */
  readonly capabilityTenths: Int32Array;
  readonly capabilityLimit: Uint8Array;
  /** The services that the member provides, as bits of `SERVICE`. */
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

/** Services of an instruction, as bits (docs/model/allocation.md#compound). */
export const SERVICE = { delta: 1, fcr: 2 } as const;

/** How each member of an instruction was dispatched; one entry per member, in order of registration. */
export class DispatchTable extends Copyable {
  readonly status: Uint8Array;
  /** `null` for an instruction without FCR capacity. */
  readonly fcrCapacities: FcrCapacityTable | null;
  /** Delta in force in signed tenths of kW; 0 if none. */
  readonly deltaTenths: Int32Array;
  /** Capability in the direction of the delta at the last dispatch, in whole tenths of kW. */
  readonly capabilityTenths: Int32Array;
  readonly capabilityLimit: Uint8Array;
  /**
   * What became of the last set-point: `dispatched`, `refused` or `failed`. A member whose set-point did not take effect
   * may still execute an earlier one; its `status` is then `dispatched`.
   */
  readonly setpointOutcome: Uint8Array;
  readonly baselineKw: Float64Array;
  /** The site's refusal, or `null`. */
  readonly refusals: (RefusalKind | null)[];
  readonly memberStates: MemberState[];
  /** Whether `refusals` or `memberStates` have been written since the last reset. */
  private hasExceptions = false;

  /** Status of a member in the delta; `incompatible` for a member that provides FCR only. */
  deltaStatus(i: number): number {
    return this.fcrCapacities === null ? this.status[i] : this.serviceStatus(this.fcrCapacities, i, SERVICE.delta);
  }

  private serviceStatus({ services }: FcrCapacityTable, i: number, service: number): number {
    const status = this.status[i];
    return status === DISPATCH_OUTCOME.dispatched && (services[i] & service) === 0
      ? DISPATCH_OUTCOME.incompatible
      : status;
  }

  readonly memberCount: number;
  /** Of all columns; 0 is `dispatched` and no capability limit. */
  private readonly bytes: Uint8Array;

  constructor(count: number, memberState: MemberState, hasFcr: boolean) {
    super();
    this.memberCount = count;
    this.fcrCapacities = hasFcr ? new FcrCapacityTable(count) : null;
    // One buffer for all columns: a year of awards needs tens of thousands of tables.
    const buffer = new ArrayBuffer(19 * count);
    this.bytes = new Uint8Array(buffer);
    this.baselineKw = new Float64Array(buffer, 0, count);
    this.deltaTenths = new Int32Array(buffer, 8 * count, count);
    this.capabilityTenths = new Int32Array(buffer, 12 * count, count);
    this.status = new Uint8Array(buffer, 16 * count, count);
    this.capabilityLimit = new Uint8Array(buffer, 17 * count, count);
    this.setpointOutcome = new Uint8Array(buffer, 18 * count, count);
    this.refusals = new Array<RefusalKind | null>(count).fill(null);
    this.memberStates = new Array<MemberState>(count).fill(memberState);
  }

  /**
   * Prepares a new or reused table for an instruction.
   *
   * @param sites       site index of each member, in order of registration
   * @param baselinesKw one per site of the world
   */
  reset(sites: Int32Array, baselinesKw: Float64Array, memberState: MemberState): void {
    const { baselineKw } = this;
    this.bytes.fill(0);
    for (let i = 0; i < baselineKw.length; i++) baselineKw[i] = baselinesKw[sites[i]];
    if (this.hasExceptions) {
      this.refusals.fill(null);
      this.memberStates.fill(memberState);
      this.hasExceptions = false;
    }
    this.fcrCapacities?.reset();
  }

  setMemberState(i: number, memberState: MemberState): void {
    this.hasExceptions = true;
    this.memberStates[i] = memberState;
  }

  /**
   * Records a set-point that did not take effect.
   *
   * @param inForce whether the member still executes an earlier one
   */
  recordFailure(i: number, outcome: number, inForce: boolean): void {
    this.setpointOutcome[i] = outcome;
    if (!inForce) this.status[i] = outcome;
  }

  /** @param refusal `null` if the site accepted the set-point */
  recordRefusal(i: number, refusal: RefusalKind | null): void {
    if (refusal === null && !this.hasExceptions) return;
    this.hasExceptions = true;
    this.refusals[i] = refusal;
  }
}

/** Result of a simulated execution at the registration. */
interface DispatchPlan {
  readonly membership: Membership;
  readonly table: DispatchTable;
  /** Uncovered power and uncovered FCR capacity, in tenths of kW. */
  readonly uncoveredTenths: number;
  readonly fcrUncoveredTenths: number;
}

export type InstructionKind = "schedule" | "immediate";

/** Creates the ids of instructions. */
export interface IdIssuer {
  instructionId(kind: InstructionKind, serial: number): string;
}

/**
 * A registered award, schedule or immediate instruction of a VPP.
 *
 * Its kW fields are those of the request. From the execution on, `table` has the members' amounts.
 */
export class Instruction extends Copyable implements SiteOrder {
  readonly origin: InstructionOrigin;
  readonly kind: InstructionKind;
  readonly vpp: number;
  readonly issuer: IdIssuer;
  /** Number of the instruction among those of its kind at the VPP. */
  readonly serial: number;
  /** Number among all instructions registered in a world, pieces included; the `subject` of its events. -1 before. */
  orderNumber = -1;
  /** Index of its award among the figures of the run, set by the accounting; -1 before. */
  figuresIndex = -1;
  /** Whether it took over the id of a schedule that it replaced. */
  readonly hasInheritedId: boolean;
  readonly sku: Sku | null;
  /** `startMs` and `endMs` change when another schedule cuts this one. */
  startMs: EpochMs;
  endMs: EpochMs;
  /** Signed tenths of kW; 0 for `sku: fcr`. */
  readonly deltaTenths: number;
  /** FCR capacity in tenths of kW, the same in both directions; `null` if none. */
  readonly fcrCapacityTenths: number | null;
  readonly registeredMs: EpochMs;
  readonly registration: number;
  activation = 1;
  state: ScheduleState | ImmediateState;
  /** Baselines in kW by site index of the world; NaN if none was sent. */
  baselinesKw: Float64Array;
  membership: Membership = EMPTY_MEMBERSHIP;
  table: DispatchTable | null = null;
  /** Uncovered power in signed tenths of kW, now and at the execution. */
  uncoveredTenths = 0;
  uncoveredAtStartTenths = 0;
  /** Uncovered FCR capacity in tenths of kW, now and at the execution; at least 0. */
  fcrUncoveredTenths = 0;
  fcrUncoveredAtStartTenths = 0;
  executedMs: EpochMs = Number.NaN;
  /** The observer has been notified of changes up to this instant. */
  accountedToMs: EpochMs = Number.NaN;
  /** Dispatch plan of the time before its start; `null` if none was requested. */
  plan: DispatchPlan | null = null;
  private issuedId: string | null;

  constructor(options: {
    /** Must have passed `checkAmounts`. */
    origin: InstructionOrigin;
    kind: InstructionKind;
    vpp: number;
    issuer: IdIssuer;
    serial: number;
    /** The replaced schedule of the same period, whose id this one takes over. */
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
    assert((deltaKw === null) === (sku === "fcr"), "an instruction has a delta unless its product is FCR alone");
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

  /** The id in report files. */
  get awardId(): string {
    return this.origin.awardId;
  }

  /** kW by product leg of a compound. */
  get compoundBreakdown(): Readonly<Record<string, number>> | null {
    return this.origin.compoundBreakdown;
  }

  /** The part after a cut, as a schedule of its own with all settings of its parent. */
  createRearPiece({ startMs, endMs, serial }: { startMs: EpochMs; endMs: EpochMs; serial: number }): Instruction {
    const piece = new Instruction({ ...this, startMs, endMs, serial, inheritedFrom: null, state: "pending" });
    piece.plan = this.plan;
    return piece;
  }

  /** The id in the API, 32 hex digits; computed on first use. */
  get scheduleId(): string {
    this.issuedId ??= this.issuer.instructionId(this.kind, this.serial);
    return this.issuedId;
  }

  /** `scheduleId` if it has been computed, else `null`. */
  get issuedScheduleId(): string | null {
    return this.issuedId;
  }

  /** Whether it requests a delta, which may be 0; false for `sku: fcr`. */
  get hasDelta(): boolean {
    return this.sku !== "fcr";
  }

  get direction(): number {
    return Math.sign(this.deltaTenths);
  }
}

/** The dispatch table of a running instruction. */
export function tableOf({ table }: Instruction): DispatchTable {
  assert(table !== null, "a running instruction has a dispatch table");
  return table;
}
