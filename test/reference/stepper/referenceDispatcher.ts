// The dispatch desk of all VPPs: registers, starts, re-dispatches and ends instructions.

import type { AwardState } from "../../../src/accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../../../src/accounting/settlement/causes.ts";
import type { RefusalKind } from "../../../src/base/result.ts";
import { roundTo } from "../../../src/base/rounding.ts";
import type { Sku } from "../../../src/base/sku.ts";
import { Series } from "../../../src/engine/series/model/series.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type {
  AwardSpec,
  InstructionSpec,
  NumberOrSeries,
} from "../../../src/engine/vpp/instructions/instructionSpec.ts";
import {
  addStep,
  closeInterval,
  fcrUncoveredByCause,
  type MemberTally,
  newTally,
  noteDispatch,
  type Tally,
  uncoveredByCause,
} from "./deliveryTally.ts";
import type { ActivatedEnergy } from "./frequencyResponse.ts";
import { addMoney, capacityJpy, type Money, noMoney, type Prices } from "./money.ts";
import { requestBaselineKw } from "./plan.ts";
import { Reductions } from "./reductions.ts";
import {
  type Capability,
  canHoldFcr,
  capability,
  fcrCapability,
  isFcrCapable,
  isIncompatible,
  redistributeTenths,
  reportedAvailable,
  reservedHeadroom,
  splitTenths,
} from "./referenceAllocation.ts";
import { isCutOff, isInService, type ReferencePlant, sendAggregateSetpoint } from "./referencePlant.ts";
import type { StepperAward } from "./stepper.ts";

interface Member {
  readonly site: number;
  weight: number;
}

/** One award or immediate instruction through its life. */
export interface ReferenceInstruction {
  readonly awardId: string;
  readonly vpp: number;
  readonly sku: Sku | null;
  /** 0 for frequency response alone. */
  readonly requestKw: number;
  /** Two-sided FCR capacity requested; `null`: none. */
  readonly fcrCapacityKw: number | null;
  /** Rises with each registration; -1 before it. */
  registration: number;
  readonly startMs: number;
  readonly plannedEndMs: number;
  readonly isImmediate: boolean;
  readonly activation: NumberOrSeries;
  /** `null`: an instruction has none. */
  readonly prices: Prices | null;
  readonly money: Money;
  /** Baseline sent for each site at registration. */
  readonly baselines: Map<number, number>;
  state: AwardState;
  errorType: RefusalKind | null;
  tally: Tally | null;
  uncoveredKw: number | null;
  uncoveredByCauseKw: Float64Array;
  fcrUncoveredKw: number | null;
  fcrUncoveredByCauseKw: Float64Array;
  dispatches: { atMs: number; deltaKw: (number | null)[]; fcrCapacityKw: (number | null)[] }[];
}

export class ReferenceDispatcher {
  private readonly spec: WorldSpec;
  private readonly plants: readonly ReferencePlant[];
  private readonly members: Member[][];
  /** Awards first, then instructions, as in the file. */
  private readonly orders: readonly ReferenceInstruction[];
  private readonly reductions = new Reductions();
  private registrations = 0;

  constructor(spec: WorldSpec, plants: readonly ReferencePlant[]) {
    this.spec = spec;
    this.plants = plants;
    this.members = spec.vpps.map(({ members }) =>
      members.map(({ site, allocationWeight }) => ({ site, weight: allocationWeight })),
    );
    this.orders = [
      ...spec.awards.map((award) =>
        newInstruction(award, award.startMs, award.endMs, false, spec.energyPriceJpyPerKwh),
      ),
      ...spec.instructions.map((order) => newInstruction(order, order.atMs, order.atMs + order.durationMs, true, null)),
    ];
  }

  setWeight(vpp: number, site: number, weight: number): void {
    for (const member of this.members[vpp]) if (member.site === site) member.weight = weight;
  }

  addMember(vpp: number, site: number, weight: number): void {
    if (!this.members.some((members) => members.some((member) => member.site === site))) {
      this.members[vpp].push({ site, weight });
    }
  }

  removeMember(vpp: number, site: number): void {
    this.members[vpp] = this.members[vpp].filter((member) => member.site !== site);
  }

  /** Rank 1: another share of a running award is called for. */
  activate(atMs: number): void {
    for (const order of this.orders) {
      const { state, plannedEndMs, activation, tally } = order;
      if (state !== "running" || plannedEndMs === atMs || tally!.activation === calledShare(activation, atMs)) continue;
      tally!.activation = calledShare(activation, atMs);
      for (const entry of tally!.members) if (hasSetpoint(entry)) this.dispatchInstruction(order, entry, atMs);
    }
  }

  /** Rank 2: instructions whose time is over. */
  endDue(atMs: number): void {
    for (const order of this.orders) {
      if (order.state === "running" && order.plannedEndMs === atMs) this.end(order, atMs, "completed");
    }
  }

  /** Rank 3: on whole minutes, the running instructions with a member whose service state changed. */
  evaluate(atMs: number): readonly ReferenceInstruction[] {
    // Status changes of a member that does not participate are noticed too, but cause no re-dispatch.
    for (const { state, tally } of this.orders) {
      if (state === "running")
        for (const entry of tally!.members.filter(idle)) entry.wasSeenInService = isInService(entry.plant);
    }
    const changed = this.orders.filter(({ state, tally }) => state === "running" && tally!.members.some(changedUnseen));
    for (const order of changed) {
      for (const entry of order.tally!.members.filter(changedUnseen)) {
        entry.wasSeenInService = isInService(entry.plant);
        if (!entry.wasSeenInService) this.withdraw(order, entry, atMs, entry.plant.outageStartMs);
        entry.status = "out_of_service";
      }
    }
    return changed;
  }

  /** Rank 4: awards, then immediate instructions. */
  register(atMs: number): void {
    this.spec.awards.forEach((award, k) => {
      if (Math.max(award.registeredMs, this.spec.startMs) === atMs) this.accept(this.orders[k], atMs);
    });
    for (const order of this.orders) {
      if (order.isImmediate && order.startMs === atMs && this.accept(order, atMs)) this.startImmediate(order, atMs);
    }
  }

  /** Rank 5. */
  redispatch(changed: readonly ReferenceInstruction[], atMs: number): void {
    // Those that saw a change themselves, in order of execution.
    for (const order of this.byRegistration())
      if (order.state === "running" && changed.includes(order)) this.dispatch(order, atMs);
  }

  /** Rank 6: a schedule's start ends a running immediate of its VPP for good, or the other way round (docs/model/overlap.md#immediate). */
  startDue(atMs: number): void {
    for (const order of this.byRegistration()) {
      if (order.isImmediate || order.state !== "pending" || order.startMs !== atMs) continue;
      const immediate = this.running(order.vpp).find((running) => running.isImmediate);
      if (immediate !== undefined && this.immediatesRule(order)) {
        voidInstruction(order);
        continue;
      }
      if (immediate !== undefined) this.end(immediate, atMs, "overwritten");
      this.execute(order, atMs);
    }
  }

  /** After the last start of an instant: what reductions come to. */
  settleReductions(atMs: number): void {
    this.reductions.settle(atMs);
  }

  addStep(atMs: number, stepMs: number): void {
    for (const { state, tally, prices, money, requestKw } of this.orders) {
      if (state !== "running") continue;
      const before = { ...tally! };
      addStep(tally!, atMs, stepMs);
      if (prices === null) continue;
      const sign = Math.sign(requestKw);
      addMoney(money, prices, atMs, {
        hours: stepMs / 3_600_000,
        sign,
        requestedKwh: sign * (tally!.requestedKwh - before.requestedKwh),
        deliveredKwh: sign * (tally!.deliveredKwh - before.deliveredKwh),
        shortfallKwh: tally!.shortfallKwh - before.shortfallKwh,
      });
    }
  }

  /** Closes what still runs at the end of the run. */
  finish(): StepperAward[] {
    const { endMs } = this.spec;
    return this.orders.map((order) => {
      const { tally } = order;
      if (tally !== null) closeInterval(tally);
      const byCause = tally?.byCause ?? new Float64Array(CAUSES.length);
      let shortfallKwh = tally?.shortfallKwh ?? 0;
      if (order.state === "refused") {
        // The shortfall of a refused award is its whole request inside the run.
        shortfallKwh = refuse(order, endMs);
        byCause[CAUSES.indexOf("refused")] = shortfallKwh;
      }
      return {
        awardId: order.awardId,
        state: order.state === "running" && order.plannedEndMs <= endMs ? "completed" : order.state,
        errorType: order.errorType,
        requestedKw: order.requestKw,
        // Of frequency response alone it is that of the FCR capacity.
        uncoveredKw: order.sku === "fcr" ? order.fcrUncoveredKw : order.uncoveredKw,
        uncoveredByCauseKw: order.sku === "fcr" ? order.fcrUncoveredByCauseKw : order.uncoveredByCauseKw,
        fcr: order.fcrCapacityKw === null ? null : { ...this.activatedBy(order), uncoveredKw: order.fcrUncoveredKw },
        fcrUncoveredByCauseKw: order.fcrUncoveredByCauseKw,
        requestedKwh:
          order.state === "refused" ? Math.sign(order.requestKw) * shortfallKwh : (tally?.requestedKwh ?? 0),
        deliveredKwh: tally?.deliveredKwh ?? 0,
        shortfallKwh,
        excessKwh: tally?.excessKwh ?? 0,
        shortfallByCauseKwh: byCause,
        executedMinutes: (tally?.executedMs ?? 0) / 60_000,
        capacityJpy: capacityOf(order),
        awardEnergyJpy: order.money.awardEnergyJpy,
        awardMarketJpy: order.money.awardMarketJpy,
        penaltyJpy: order.money.penaltyJpy,
        dispatches: order.dispatches,
      };
    });
  }

  private activatedBy({ registration }: ReferenceInstruction): ActivatedEnergy {
    const sum: ActivatedEnergy = { upKwh: 0, downKwh: 0 };
    for (const { activatedEnergy } of this.plants) {
      const { upKwh, downKwh } = activatedEnergy.get(registration) ?? { upKwh: 0, downKwh: 0 };
      sum.upKwh += upKwh;
      sum.downKwh += downKwh;
    }
    return sum;
  }

  private byRegistration(): ReferenceInstruction[] {
    return [...this.orders].sort((a, b) => a.registration - b.registration);
  }

  private running(vpp: number): ReferenceInstruction[] {
    return this.orders.filter((order) => order.state === "running" && order.vpp === vpp);
  }

  /** Registration: baselines of every registered member are sent along; some requests are refused. */
  private accept(order: ReferenceInstruction, atMs: number): boolean {
    const members = this.members[order.vpp];
    for (const { site } of members) order.baselines.set(site, requestBaselineKw(this.plants[site], order.startMs));
    const canTakePart = (site: number) =>
      isInService(this.plants[site]) && (order.sku !== "fcr" || isFcrCapable(this.spec.sites[site]));
    if (!members.some(({ site, weight }) => weight > 0 && canTakePart(site))) {
      return this.refuse(order, "no_dispatchable_members");
    }
    if (order.isImmediate && order.sku !== "fcr" && !this.isInRange(order, atMs))
      return this.refuse(order, "invalid_parameter");
    order.state = "pending";
    order.registration = this.registrations++;
    return true;
  }

  private refuse(order: ReferenceInstruction, errorType: RefusalKind): false {
    order.state = "refused";
    order.errorType = errorType;
    markAllUncovered(order, "refused");
    return false;
  }

  /** Decisions.md 5: what the members in service could take or give now, weight 0 included. */
  private isInRange(order: ReferenceInstruction, atMs: number): boolean {
    let [importKw, exportKw] = [0, 0];
    for (const { site } of this.members[order.vpp]) {
      const plant = this.plants[site];
      if (!isInService(plant)) continue;
      const { strictAvailabilityCheck } = this.spec.vpps[order.vpp].options;
      const available = reportedAvailable(plant, atMs, strictAvailabilityCheck);
      importKw += available.importKw;
      exportKw += available.exportKw;
      if (!this.spec.vpps[order.vpp].options.strictAvailabilityCheck) {
        exportKw += this.reductions.possibleNowKw(plant, order.sku, atMs);
      }
    }
    return -exportKw - 1e-9 <= order.requestKw && order.requestKw <= importKw + 1e-9;
  }

  private startImmediate(order: ReferenceInstruction, atMs: number): void {
    const running = this.running(order.vpp);
    if (running.some(({ isImmediate }) => !isImmediate) && !this.immediatesRule(order)) return voidInstruction(order);
    for (const replaced of running) this.end(replaced, atMs, "overwritten");
    this.execute(order, atMs);
  }

  private immediatesRule({ vpp }: ReferenceInstruction): boolean {
    return this.spec.vpps[vpp].options.immediateOverridesSchedule;
  }

  private execute(order: ReferenceInstruction, atMs: number): void {
    const entries = this.members[order.vpp].map(({ site, weight }): MemberTally => {
      const plant = this.plants[site];
      const baselineKw = order.baselines.get(site) ?? null;
      const hasDelta =
        order.sku !== "fcr" &&
        baselineKw !== null &&
        !isIncompatible(plant.site, order.sku, order.requestKw, baselineKw);
      // A plant without a baseline counts from 0.
      const canServeDelta =
        order.sku !== "fcr" && !isIncompatible(plant.site, order.sku, order.requestKw, baselineKw ?? 0);
      const hasFcr = order.fcrCapacityKw !== null && canHoldFcr(plant.site);
      const exclusion = baselineKw === null ? "baseline_missing" : hasDelta || hasFcr ? null : "incompatible";
      const wasSeenInService = isInService(plant);
      const status = !wasSeenInService ? "out_of_service" : weight === 0 ? "weight_zero" : (exclusion ?? "dispatched");
      return {
        ...{
          plant,
          weight,
          baselineKw,
          exclusion,
          status,
          wasSeenInService,
          hasDelta,
          hasFcr,
          canServeDelta,
        },
        ...{
          deltaKw: null,
          fcrCapacityKw: null,
          setpointCeilingKw: null,
          deltaLimit: "power_limit",
          fcrLimit: "power_limit",
          lastSetpoint: "taken",
        },
      };
    });
    order.state = "running";
    const { requestKw, registration } = order;
    const activation = calledShare(order.activation, atMs);
    order.tally = newTally({ requestKw, registration, hasDelta: order.sku !== "fcr", activation }, entries);
    this.dispatch(order, atMs);
    if (order.fcrCapacityKw !== null) {
      const heldKw = entries.reduce((total, { fcrCapacityKw }) => total + (fcrCapacityKw ?? 0), 0);
      order.fcrUncoveredKw = roundTo(order.fcrCapacityKw - heldKw, 1);
      order.fcrUncoveredByCauseKw = fcrUncoveredByCause(order.tally, order.fcrCapacityKw);
    }
    const sum = entries.reduce((total, { deltaKw }) => total + (deltaKw ?? 0), 0);
    order.uncoveredKw = roundTo(order.requestKw - sum, 1);
    order.uncoveredByCauseKw = uncoveredByCause(order.tally);
  }

  /** Shares the request over the eligible members in service with present capability (docs/model/time.md#redispatch, docs/model/allocation.md#re-dispatch). */
  private dispatch(order: ReferenceInstruction, atMs: number): void {
    const sign = order.requestKw < 0 ? -1 : 1;
    const participants = order.tally!.members.filter(
      ({ weight, exclusion, wasSeenInService }) => weight > 0 && exclusion === null && wasSeenInService,
    );
    const ofDelta = participants.filter(({ hasDelta }) => hasDelta);
    const limits = ofDelta.map(({ plant, baselineKw }) => this.availableCapability(order, plant, baselineKw!, atMs));
    const split = this.spec.vpps[order.vpp].options.deltaExcess === "redistribute" ? redistributeTenths : splitTenths;
    const tenths = split(
      order.requestKw,
      ofDelta.map(({ weight }) => weight),
      limits.map(({ kw }) => kw),
    );
    const ceilings = this.setpointCeilings(order, ofDelta);
    const fcrCapacities = this.fcrCapacities(order, participants);
    for (const entry of participants) {
      const k = ofDelta.indexOf(entry);
      const deltaKw = k < 0 ? null : (sign * tenths[k]) / 10 || 0;
      const fcrCapacity = fcrCapacities.get(entry);
      this.sendMessage(
        order,
        entry,
        { deltaKw, fcrCapacityKw: fcrCapacity?.kw ?? null, setpointCeilingKw: ceilings.get(entry) ?? null },
        atMs,
      );
      if (fcrCapacity !== undefined) entry.fcrLimit = fcrCapacity.limit;
      if (deltaKw === null) continue;
      // Where the capability did not cut the share, rounding alone can leave a shortfall.
      if (entry.deltaKw === deltaKw)
        entry.deltaLimit = limits[k].kw * 10 < tenths[k] + 1 ? limits[k].limit : "power_limit";
    }
    noteDispatch(order.tally!);
    const entryOf = (plant: ReferencePlant) => order.tally!.members.find((entry) => entry.plant === plant);
    order.dispatches.push({
      atMs,
      deltaKw: this.plants.map((plant) => entryOf(plant)?.deltaKw ?? null),
      fcrCapacityKw: this.plants.map((plant) => entryOf(plant)?.fcrCapacityKw ?? null),
    });
  }

  /** Headroom that no other order holds (docs/model/frequency-response.md#coexisting). */
  private availableCapability(
    order: ReferenceInstruction,
    plant: ReferencePlant,
    baselineKw: number,
    atMs: number,
  ): Capability {
    const { kw, limit } = capability(plant, atMs, baselineKw, order.requestKw);
    const held = reservedHeadroom(plant, order.registration);
    const heldKw = order.requestKw > 0 ? held.upKw : held.downKw;
    const isShared = heldKw > 0 && kw >= 0.1 && limit !== "energy_limit";
    return { kw: Math.max(0, kw - heldKw), limit: isShared ? "other_award" : limit };
  }

  /** The uncut shares up to which PV plants may rise with the sun. */
  private setpointCeilings(
    order: ReferenceInstruction,
    participants: readonly MemberTally[],
  ): Map<MemberTally, number> {
    const { pvSetpoint, deltaExcess } = this.spec.vpps[order.vpp].options;
    if (pvSetpoint === "hold" || deltaExcess === "redistribute") return new Map();
    const weights = participants.map(({ weight }) => weight);
    const tenths = splitTenths(
      order.requestKw,
      weights,
      weights.map(() => Number.POSITIVE_INFINITY),
    );
    const ceilings = participants.map(
      (entry, k) => [entry, (Math.sign(order.requestKw) * tenths[k]) / 10 || 0] as const,
    );
    const isSun = ({ component }: ReferencePlant) => component.kind === "generator" && component.generatorKind === "pv";
    return new Map(ceilings.filter(([{ plant }]) => isSun(plant)));
  }

  /** The FCR capacity of each that takes part in it: allocated until no participant has headroom. */
  private fcrCapacities(
    order: ReferenceInstruction,
    participants: readonly MemberTally[],
  ): Map<MemberTally, Capability> {
    if (order.fcrCapacityKw === null) return new Map();
    const of = participants.filter(({ hasFcr }) => hasFcr);
    const { fcrEnergyTestMinutes } = this.spec.vpps[order.vpp].options;
    const limits = of.map(({ plant, baselineKw }) =>
      fcrCapability(plant, baselineKw!, reservedHeadroom(plant, order.registration), fcrEnergyTestMinutes),
    );
    const weights = of.map(({ weight }) => weight);
    const tenths = redistributeTenths(
      order.fcrCapacityKw,
      weights,
      limits.map(({ kw }) => kw),
    );
    // One that could hold more was not cut by its capability.
    const limitOf = (k: number) => (limits[k].kw * 10 < tenths[k] + 1 ? limits[k].limit : "power_limit");
    return new Map(of.map((entry, k) => [entry, { kw: tenths[k] / 10, limit: limitOf(k) }]));
  }

  /** Sends one member its delta; the link may be down, the site may refuse (docs/model/allocation.md#exclusion, docs/model/connection-point.md#deliveries, docs/model/allocation.md#site-refusal, docs/model/allocation.md#re-dispatch). */
  private sendMessage(
    order: ReferenceInstruction,
    entry: MemberTally,
    { deltaKw, fcrCapacityKw, setpointCeilingKw }: Pick<MemberTally, "deltaKw" | "fcrCapacityKw" | "setpointCeilingKw">,
    atMs: number,
  ): void {
    const { plant } = entry;
    if (
      hasSetpoint(entry) &&
      entry.deltaKw === deltaKw &&
      entry.fcrCapacityKw === fcrCapacityKw &&
      entry.setpointCeilingKw === setpointCeilingKw
    ) {
      entry.status = "dispatched";
      entry.lastSetpoint = "taken";
      return;
    }
    if (isCutOff(plant)) {
      // What is in force stays in force, and with it the dispatch.
      entry.lastSetpoint = "lost";
      if (!hasSetpoint(entry)) entry.status = "failed";
      return;
    }
    const lengthMs = order.plannedEndMs - order.startMs;
    if (this.reductions.refuses(plant, { sku: order.sku, deltaKw: deltaKw ?? 0, atMs, lengthMs })) {
      entry.lastSetpoint = "refused";
      if (!hasSetpoint(entry)) entry.status = "refused";
      return;
    }
    entry.status = "dispatched";
    entry.lastSetpoint = "taken";
    entry.deltaKw = deltaKw;
    entry.fcrCapacityKw = fcrCapacityKw;
    entry.setpointCeilingKw = setpointCeilingKw;
    this.dispatchInstruction(order, entry, atMs);
  }

  /** Passes on what is called for of what is in force. */
  private dispatchInstruction(
    { sku, registration, tally, requestKw }: ReferenceInstruction,
    entry: MemberTally,
    atMs: number,
  ): void {
    const { plant } = entry;
    const { activation } = tally!;
    const deltaKw = entry.deltaKw ?? 0;
    const amounts = {
      deltaKw,
      setpointCeilingKw: entry.setpointCeilingKw ?? deltaKw,
      fcrCapacityKw: entry.fcrCapacityKw ?? 0,
      baselineKw: entry.baselineKw!,
    };
    plant.orders = [
      ...without(plant, registration),
      { registration, sku, sign: Math.sign(requestKw), activation, ...amounts },
    ].sort((a, b) => a.registration - b.registration);
    if (plant.component.kind === "consumer")
      this.reductions.instruct(plant, { sku, deltaKw: amounts.deltaKw * activation, atMs });
    else sendAggregateSetpoint(plant, atMs);
  }

  /** Takes an instruction back; `endedMs` is when a reduction counts as ended. */
  private withdraw({ registration }: ReferenceInstruction, entry: MemberTally, atMs: number, endedMs: number): void {
    if (!hasSetpoint(entry)) return;
    const { plant } = entry;
    entry.deltaKw = null;
    entry.fcrCapacityKw = null;
    entry.setpointCeilingKw = null;
    plant.orders = without(plant, registration);
    if (plant.component.kind === "consumer") this.reductions.end(plant, endedMs);
    else sendAggregateSetpoint(plant, atMs);
  }

  private end(order: ReferenceInstruction, atMs: number, state: AwardState): void {
    order.state = state;
    closeInterval(order.tally!);
    for (const entry of order.tally!.members) this.withdraw(order, entry, atMs, atMs);
  }
}

const hasSetpoint = ({ deltaKw, fcrCapacityKw }: MemberTally): boolean => deltaKw !== null || fcrCapacityKw !== null;

const without = ({ orders }: ReferencePlant, registration: number) =>
  orders.filter((other) => other.registration !== registration);

const idle = ({ weight, exclusion }: MemberTally): boolean => weight === 0 || exclusion !== null;

/** The share of a request that is called for at an instant. */
const calledShare = (activation: NumberOrSeries, atMs: number): number =>
  activation instanceof Series ? activation.valueAt(atMs) : activation;

/** Shortfall of a refused instruction: all of it inside the run, as far as it was called for; shares change on whole seconds. */
function refuse(
  { activation, startMs, plannedEndMs, requestKw, prices, money }: ReferenceInstruction,
  endMs: number,
): number {
  let seconds = 0;
  for (let atMs = startMs; atMs < Math.min(plannedEndMs, endMs); atMs += 1000) {
    const called = calledShare(activation, atMs);
    seconds += called;
    const shortfallKwh = (Math.abs(requestKw) * called) / 3600;
    if (prices !== null)
      addMoney(money, prices, atMs, { hours: 0, sign: 0, requestedKwh: 0, deliveredKwh: 0, shortfallKwh });
  }
  return (Math.abs(requestKw) * seconds) / 3600;
}

function capacityOf({
  sku,
  requestKw,
  fcrCapacityKw,
  uncoveredKw,
  fcrUncoveredKw,
  tally,
  money,
}: ReferenceInstruction): number {
  if (tally === null) return 0;
  const isFcr = sku === "fcr";
  return capacityJpy(money, {
    requestedKw: isFcr ? (fcrCapacityKw ?? 0) : requestKw,
    uncoveredKw: (isFcr ? fcrUncoveredKw : uncoveredKw) ?? 0,
  });
}

/** What runs rules: answered, without effect (docs/model/overlap.md#immediate). */
function voidInstruction(order: ReferenceInstruction): void {
  order.state = "overwritten";
  markAllUncovered(order, "other_award");
}

/** Nobody carries anything of it. */
function markAllUncovered(order: ReferenceInstruction, cause: Cause): void {
  order.uncoveredKw = order.requestKw;
  order.uncoveredByCauseKw[CAUSES.indexOf(cause)] = Math.abs(order.requestKw);
  order.fcrUncoveredKw = order.fcrCapacityKw;
  order.fcrUncoveredByCauseKw[CAUSES.indexOf(cause)] = order.fcrCapacityKw ?? 0;
}

/** A participant whose service state differs from what the VPP last saw. */
const changedUnseen = (entry: MemberTally): boolean =>
  !idle(entry) && entry.wasSeenInService !== isInService(entry.plant);

function newInstruction(
  spec: AwardSpec | InstructionSpec,
  startMs: number,
  endMs: number,
  isImmediate: boolean,
  marketJpyPerKwh: Series | null,
): ReferenceInstruction {
  return {
    awardId: spec.awardId,
    vpp: spec.vpp,
    sku: spec.sku,
    requestKw: roundTo(spec.deltaKw ?? 0, 1),
    fcrCapacityKw: spec.fcrResponseKw === null ? null : roundTo(spec.fcrResponseKw, 1),
    registration: -1,
    startMs,
    plannedEndMs: endMs,
    isImmediate,
    activation: "activation" in spec ? spec.activation : 1,
    prices: "activation" in spec ? { ...spec, marketJpyPerKwh } : null,
    money: noMoney(),
    baselines: new Map(),
    state: "pending",
    errorType: null,
    tally: null,
    uncoveredKw: null,
    uncoveredByCauseKw: new Float64Array(CAUSES.length),
    fcrUncoveredKw: null,
    fcrUncoveredByCauseKw: new Float64Array(CAUSES.length),
    dispatches: [],
  };
}
