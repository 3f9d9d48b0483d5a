import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { RefusalKind } from "../../base/result.ts";
import { toTenths } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { SiteOrder } from "../../site/orders/siteOrder.ts";
import type { MemberState } from "../memberMachine.ts";
import type { ImmediateState } from "./immediateMachine.ts";
import type { Origin } from "./orderSpec.ts";
import type { ScheduleState } from "./scheduleMachine.ts";

/** What became of a member in a dispatch; small numbers because there are many. */
export const DISPATCH = {
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
  readonly sites: Int32Array;
  readonly weights: Float64Array;
  readonly weightSum: number;
  readonly labels: readonly string[];
  /** The instructions that run with it, in order of execution; whoever executes them keeps this list. */
  readonly running: Instruction[];
}

export const NO_MEMBERS: Membership = {
  sites: new Int32Array(0),
  weights: new Float64Array(0),
  weightSum: 0,
  labels: [],
  running: [],
};

/** What bound a member's capability where its share was cut (accounting.md §1, the layer at dispatch). */
export const CUT_BY = { nothing: 0, energy: 1, weather: 2, outputControl: 3, power: 4, otherAward: 5 } as const;

/** Widths of frequency response by member; one entry per member, in order of registration. */
export class WidthTable extends Copyable {
  /** Whole tenths of kW in force, two-sided; 0 where nothing is. */
  readonly tenths: Int32Array;
  /** Whole tenths that the member could have held when it was last dispatched. */
  readonly capabilityTenths: Int32Array;
  readonly cutBy: Uint8Array;
  /** Which parts of the instruction the member takes part in. */
  readonly parts: Uint8Array;

  constructor(count: number) {
    super();
    this.tenths = new Int32Array(count);
    this.capabilityTenths = new Int32Array(count);
    this.cutBy = new Uint8Array(count);
    this.parts = new Uint8Array(count);
  }

  open(): void {
    this.tenths.fill(0);
    this.capabilityTenths.fill(0);
    this.cutBy.fill(CUT_BY.nothing);
    this.parts.fill(0);
  }
}

/** Parts of an instruction that a member can take part in, as bits (decisions.md 19). */
export const PART = { delta: 1, fcr: 2 } as const;

/** How each member of an instruction was dispatched; one entry per member, in order of registration. */
export class DispatchTable extends Copyable {
  readonly status: Uint8Array;
  /** Widths, where the instruction has any. */
  readonly widths: WidthTable | null;
  /** Signed tenths of kW in force; 0 where nothing is. */
  readonly deltaTenths: Int32Array;
  /** Whole tenths of kW the member could have taken when it was last dispatched. */
  readonly capabilityTenths: Int32Array;
  readonly cutBy: Uint8Array;
  readonly baselineKw: Float64Array;
  /** Why a site refused, where one did. */
  readonly refusals: (RefusalKind | null)[];
  readonly seen: MemberState[];
  /** Whether anybody has refused or gone away. */
  private isMarked = false;

  /** What became of a member as to the change of power; one that takes the width alone is left out of that. */
  deltaStatus(i: number): number {
    return this.widths === null ? this.status[i] : this.partStatus(this.widths, i, PART.delta);
  }

  /** The same as to the width. */
  fcrStatus(i: number): number {
    return this.widths === null ? DISPATCH.incompatible : this.partStatus(this.widths, i, PART.fcr);
  }

  private partStatus({ parts }: WidthTable, i: number, part: number): number {
    const status = this.status[i];
    return status === DISPATCH.dispatched && (parts[i] & part) === 0 ? DISPATCH.incompatible : status;
  }

  readonly count: number;

  constructor(count: number, seen: MemberState, hasFcr: boolean) {
    super();
    this.count = count;
    this.widths = hasFcr ? new WidthTable(count) : null;
    // One piece of memory for all: a year of awards makes tens of thousands of tables.
    const memory = new ArrayBuffer(18 * count);
    this.baselineKw = new Float64Array(memory, 0, count);
    this.deltaTenths = new Int32Array(memory, 8 * count, count);
    this.capabilityTenths = new Int32Array(memory, 12 * count, count);
    this.status = new Uint8Array(memory, 16 * count, count);
    this.cutBy = new Uint8Array(memory, 17 * count, count);
    this.refusals = new Array<RefusalKind | null>(count).fill(null);
    this.seen = new Array<MemberState>(count).fill(seen);
  }

  /**
   * Begins anew, whatever stood here before.
   *
   * @param sites       of the members, in order of registration
   * @param baselinesKw one per site of the world
   */
  open(sites: Int32Array, baselinesKw: Float64Array, seen: MemberState): void {
    const { baselineKw, deltaTenths, capabilityTenths, status, cutBy } = this;
    for (let i = 0; i < baselineKw.length; i++) {
      baselineKw[i] = baselinesKw[sites[i]];
      deltaTenths[i] = 0;
      capabilityTenths[i] = 0;
      status[i] = 0;
      cutBy[i] = 0;
    }
    if (this.isMarked) {
      this.refusals.fill(null);
      this.seen.fill(seen);
      this.isMarked = false;
    }
    this.widths?.open();
  }

  /** Notes how the instruction sees a member now. */
  see(i: number, seen: MemberState): void {
    this.isMarked = true;
    this.seen[i] = seen;
  }

  /** Notes why a site refused, or that it took what it was told. */
  noteAnswer(i: number, refusal: RefusalKind | null): void {
    if (refusal === null && !this.isMarked) return;
    this.isMarked = true;
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

export type OrderKind = "schedule" | "immediate";

/** Who numbers orders and makes their ids. */
export interface IdIssuer {
  orderId(kind: OrderKind, serial: number): string;
}

/**
 * One award, schedule or immediate instruction of a VPP from its registration on.
 *
 * The kW are the request's; who carries what is in `table` from the execution on.
 */
export class Instruction extends Copyable implements SiteOrder {
  readonly origin: Origin;
  readonly kind: OrderKind;
  readonly vpp: number;
  readonly issuer: IdIssuer;
  /** Counts the orders of its kind at the VPP. */
  readonly serial: number;
  /** Counts all that were ever registered in a world, pieces too: what events and books know it by. -1 before. */
  number = -1;
  /** Where its award stands among the figures of the run; noted by who keeps them, which is the same for all who do. */
  place = -1;
  /** Whether it took the id of one that it replaced. */
  readonly inherited: boolean;
  readonly sku: Sku | null;
  /** Both move when another schedule cuts into this one. */
  startMs: EpochMs;
  endMs: EpochMs;
  /** Signed tenths of kW; 0 for one of frequency response alone. */
  readonly deltaTenths: number;
  /** Two-sided width of frequency response in tenths of kW; `null` for one without. */
  readonly fcrTenths: number | null;
  readonly registeredMs: EpochMs;
  readonly registration: number;
  activation = 1;
  state: ScheduleState | ImmediateState;
  /** Baseline sent for each site (index of the world), in kW; NaN where none was. */
  baselinesKw: Float64Array;
  membership: Membership = NO_MEMBERS;
  table: DispatchTable | null = null;
  /** Signed tenths that nobody carries now, and at the execution. */
  uncoveredTenths = 0;
  uncoveredAtStartTenths = 0;
  /** Tenths of the width that nobody holds now, and at the execution; at least 0. */
  fcrUncoveredTenths = 0;
  fcrUncoveredAtStartTenths = 0;
  executedMs: EpochMs = Number.NaN;
  /** Its account has been brought to this instant. */
  closedMs: EpochMs = Number.NaN;
  /** What it showed before its start; `null` where nobody wanted to see it. */
  plan: DispatchPlan | null = null;
  private issuedId: string | null;

  constructor(options: {
    /** Whoever took it has asked `checkAmounts`. */
    origin: Origin;
    kind: OrderKind;
    vpp: number;
    issuer: IdIssuer;
    serial: number;
    /** A schedule of the same period that this one replaces and whose id it takes over. */
    inherits: Instruction | null;
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
    this.inherited = options.inherits !== null;
    this.issuedId = options.inherits?.scheduleId ?? null;
    this.sku = sku;
    this.startMs = options.startMs;
    this.endMs = options.endMs;
    this.deltaTenths = toTenths(deltaKw ?? 0);
    this.fcrTenths = fcrResponseKw === null ? null : toTenths(fcrResponseKw);
    this.registeredMs = options.registeredMs;
    this.registration = options.registration;
    this.state = options.state;
    this.baselinesKw = options.baselinesKw;
  }

  /** As reports name it: the award's id. */
  get id(): string {
    return this.origin.awardId;
  }

  /** What a compound is made of, kW by part; kept for the record. */
  get compoundBreakdown(): Readonly<Record<string, number>> | null {
    return this.origin.compoundBreakdown;
  }

  /** The rear piece that another schedule leaves of this one: its own entry, with all that the parent was given. */
  rest({ startMs, endMs, serial }: { startMs: EpochMs; endMs: EpochMs; serial: number }): Instruction {
    const piece = new Instruction({ ...this, startMs, endMs, serial, inherits: null, state: "pending" });
    piece.plan = this.plan;
    return piece;
  }

  /** 32 hex digits by which the API knows it; made when somebody asks. */
  get scheduleId(): string {
    this.issuedId ??= this.issuer.orderId(this.kind, this.serial);
    return this.issuedId;
  }

  /** The same where it has been made already. */
  get knownScheduleId(): string | null {
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
