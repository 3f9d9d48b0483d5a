import type { EpochMs } from "../../../../base/time.ts";
import { LIMITING_FACTOR } from "../../../device/curve/limitingFactor.ts";
import type { Trajectory } from "../../../device/curve/trajectory.ts";
import { chargersCapability, chargersEnergyAvailable } from "../../../device/evChargers/chargersCapability.ts";
import {
  advanceChargers,
  ChargersState,
  type DepartureVisitor,
  NO_SESSION,
} from "../../../device/evChargers/chargersState.ts";
import { ChargersTrajectory } from "../../../device/evChargers/chargersTrajectory.ts";
import { BOUND_KWH, type ChargingSession, energyMinKwh } from "../../../device/evChargers/evChargersSpec.ts";
import { ChargersPlanner } from "../../../device/evChargers/planChargers.ts";
import type { PowerLimits } from "../../siteConstraints.ts";
import type { ResourceSnapshot } from "../../siteSnapshot.ts";
import { BaseComponent } from "../baseComponent.ts";
import { CAPABILITY_LIMIT, type ResourceSite } from "../capabilities.ts";
import type { Segment } from "../segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "../setpoint.ts";
import { dischargeSumKw, type EvChargersModel, isTwoWay, ratedCapKwh } from "./evChargersModel.ts";

/** What the present trajectory of chargers began with. */
interface ChargersSnapshot {
  readonly sessionAt: Int32Array;
  readonly storedKwh: Float64Array;
  readonly nextSession: number;
}

/** The chargers of a site: the connected cars, and the plan that they follow without a set-point. @see docs/model/ev-chargers.md */
export class EvChargersComponent extends BaseComponent implements DepartureVisitor {
  readonly kind = "ev_chargers";
  readonly spec: EvChargersModel;
  readonly state: ChargersState;
  /** Departures in their order: index of the session, stored energy of the car. */
  readonly departedSessions: number[] = [];
  readonly departedKwh: number[] = [];
  /** Instant of the state. */
  private stateMs: EpochMs;
  /** Filled anew with the state at a later instant. */
  private readonly laterState: ChargersState;
  private readonly chargers: ChargersTrajectory;
  private readonly planner: ChargersPlanner;
  private readonly limits: PowerLimits;
  private readonly ratedExportKw: number;
  private readonly ratedCapKwh: number;
  private readonly showsSoc: boolean;
  private readonly planInput: {
    startMs: EpochMs;
    setpointKw: number | null;
    inService: boolean;
    importLimitKw: number;
    exportLimitKw: number;
  };

  constructor(spec: EvChargersModel, limits: PowerLimits) {
    super();
    this.spec = spec;
    this.limits = limits;
    this.state = new ChargersState(spec, spec.startMs);
    this.stateMs = spec.startMs;
    this.laterState = new ChargersState(spec, spec.startMs);
    this.planner = new ChargersPlanner(spec);
    this.chargers = new ChargersTrajectory(spec.connectors.length);
    this.ratedExportKw = dischargeSumKw(spec);
    this.ratedCapKwh = ratedCapKwh(spec);
    this.showsSoc = isTwoWay(spec);
    this.planInput = {
      startMs: spec.startMs,
      setpointKw: null,
      inService: true,
      importLimitKw: limits.siteImportMaxKw,
      exportLimitKw: limits.siteExportMaxKw,
    };
  }

  get role(): "alone" {
    return "alone";
  }

  get trajectory(): Trajectory {
    return this.chargers.total;
  }

  /** Cars that charge without a set-point, or must. */
  override get hasUncontrolledLoad(): boolean {
    return true;
  }

  override get hasOutputControl(): boolean {
    return this.showsSoc;
  }

  override get canRespond(): boolean {
    return false;
  }

  /** Stored energy of the connected cars as a share of the rated capacity; `null` for a one-way fleet. */
  override socPctAt(atMs: EpochMs): number | null {
    if (!this.showsSoc) return null;
    const storedKwh = this.chargers.segmentCount === 0 ? this.state.storedSumKwh : this.trajectory.storedKwhAt(atMs);
    return this.ratedCapKwh === 0 ? 0 : (100 * storedKwh) / this.ratedCapKwh;
  }

  departed(session: ChargingSession, storedKwh: number): void {
    this.departedSessions.push(this.state.sessionAt[session.connector]);
    this.departedKwh.push(storedKwh);
  }

  advance(atMs: EpochMs): void {
    if (this.chargers.segmentCount === 0) return;
    advanceChargers(this.spec, this.state, this.chargers, atMs, this);
    this.stateMs = atMs;
  }

  captureState(out: ResourceSnapshot): void {
    const { sessionAt, storedKwh, nextSession } = this.state;
    const snapshot: ChargersSnapshot = { sessionAt: sessionAt.slice(), storedKwh: storedKwh.slice(), nextSession };
    out.storedKwh = this.state.storedSumKwh;
    out.ownState = snapshot;
  }

  restore({ ownState }: ResourceSnapshot, atMs: EpochMs): void {
    const { sessionAt, storedKwh, nextSession } = ownState as ChargersSnapshot;
    this.state.sessionAt.set(sessionAt);
    this.state.storedKwh.set(storedKwh);
    this.state.nextSession = nextSession;
    this.stateMs = atMs;
  }

  /** Begins a new trajectory. @returns when it ends */
  planTrajectory(atMs: EpochMs, target: Setpoint, { inService, outputLimitShare }: OperatingConditions): ReplanMs {
    const { planInput: input } = this;
    input.startMs = atMs;
    input.setpointKw = target.isInstructed ? target.baselineKw + target.deltaKw : null;
    input.inService = inService;
    input.importLimitKw = this.limits.siteImportMaxKw;
    input.exportLimitKw = this.exportLimitKw(outputLimitShare);
    return this.planner.plan(this.state, input, this.chargers);
  }

  private exportLimitKw(outputLimitShare: number): number {
    return Math.min(this.limits.siteExportMaxKw, this.ratedExportKw * outputLimitShare);
  }

  /** Powers that set-points can ask for. */
  powerRange(atMs: EpochMs, outputLimitShare: number): { readonly lowestKw: number; readonly highestKw: number } {
    const limits = {
      importLimitKw: this.limits.siteImportMaxKw,
      exportLimitKw: this.exportLimitKw(outputLimitShare),
    };
    return chargersCapability(this.spec, this.stateAt(atMs), atMs, limits);
  }

  /** At an instant of the present trajectory. */
  private stateAt(atMs: EpochMs): ChargersState {
    const { state, laterState } = this;
    if (atMs <= this.stateMs) return state;
    laterState.copyFrom(state);
    this.chargers.readStored(atMs, laterState.storedKwh);
    return laterState;
  }

  energyAvailable(atMs: EpochMs): { readonly importKwh: number; readonly exportKwh: number } {
    return chargersEnergyAvailable(this.spec, this.stateAt(atMs), atMs);
  }

  /** Whether output control, not the cars or the site, limits what may be sent. */
  override isOutputControlled(atMs: EpochMs, outputLimitShare: number): boolean {
    return this.powerRange(atMs, 1).lowestKw < this.powerRange(atMs, outputLimitShare).lowestKw;
  }

  override isAtBound(up: boolean): boolean {
    const { sessionAt, storedKwh } = this.state;
    const { spec } = this;
    let isAny = false;
    for (let c = 0; c < sessionAt.length; c++) {
      if (sessionAt[c] === NO_SESSION) continue;
      const session = spec.sessions[sessionAt[c]];
      isAny = true;
      const isWithin = up
        ? storedKwh[c] < session.capacityKwh - BOUND_KWH
        : energyMinKwh(spec, session) + BOUND_KWH < storedKwh[c];
      if (isWithin) return false;
    }
    return isAny;
  }

  maxSetpointKw(): number {
    return this.highestKw;
  }

  private get highestKw(): number {
    return this.powerRange(this.stateMs, 1).highestKw;
  }

  exportAvailableKw(atMs: EpochMs, outputLimitShare: number): number {
    return Math.max(0, -this.powerRange(atMs, outputLimitShare).lowestKw);
  }

  override gridImportAvailableKw(): number {
    return this.highestKw;
  }

  /** Down to what protected departures and the connection point leave; the lowest power may be an import. */
  override headroomKw(site: ResourceSite, baselineKw: number, up: boolean, atMs: EpochMs): number {
    const { lowestKw, highestKw } = this.powerRange(atMs, site.outputLimitShare);
    if (up) return Math.max(0, highestKw - baselineKw);
    const leastKw = site.spec.capability.reverseFlowAllowed ? lowestKw : Math.max(0, lowestKw);
    return Math.max(0, baselineKw - leastKw);
  }

  /** What the present power can be reduced by at once, for a one-way fleet. */
  override reductionAvailableKw(site: ResourceSite, _sku: unknown, atMs: EpochMs): number {
    if (this.showsSoc || this.chargers.segmentCount === 0) return 0;
    return Math.max(0, this.trajectory.kwAt(atMs) - this.powerRange(atMs, site.outputLimitShare).lowestKw);
  }

  takesDelta(): boolean {
    return true;
  }

  override capabilityLimit(site: ResourceSite, up: boolean): number {
    if (this.state.connectedCount === 0) return CAPABILITY_LIMIT.power;
    return super.capabilityLimit(site, up);
  }

  fcrHeadroomKw(): number {
    return 0;
  }

  segmentAt(atMs: EpochMs, out: Segment): void {
    const { trajectory } = this;
    const k = trajectory.indexAt(atMs);
    trajectory.readSegment(k, out);
    out.limitedBy = trajectory.limitedByOf(k);
    const { setpointKw } = this.planInput;
    out.deviationSign =
      setpointKw === null || out.limitedBy === LIMITING_FACTOR.none ? 0 : Math.sign(out.kw - setpointKw);
  }
}
