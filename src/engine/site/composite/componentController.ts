import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { ResponseProfile } from "../../device/frequency/responseProfile.ts";
import type { Part } from "../components/parts.ts";
import {
  type FcrAllocation,
  newOperatingConditions,
  type OperatingConditions,
  type ReplanMs,
} from "../components/setpoint.ts";
import { isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import type { PowerLimits } from "../siteConstraints.ts";
import type { ComponentSnapshot } from "../siteSnapshot.ts";

/** Limits of one component at the connection point; the site updates them when the power of the others changes. */
export type ComponentHeadroom = { -readonly [Key in keyof PowerLimits]: PowerLimits[Key] };

/** Set-points of one component and their delays; `NaN` means none (idle, natural load). */
export class ComponentController<T extends Part = Part> extends Copyable {
  readonly component: T;
  readonly headroom: ComponentHeadroom;
  private readonly delayMs: number;
  /** Whether it has a set-point of its own and no share of the site's. */
  isIndividuallyControlled = false;
  private readonly pendingSetpoints: { readonly effectMs: EpochMs; readonly kw: number }[] = [];
  /** Set-point in effect in kW: a share of the site's delta or, for a tracking battery, the target of the meter. */
  effectiveKw = Number.NaN;
  /** FCR allocation in effect; `null`: none. */
  fcrAllocation: FcrAllocation | null = null;
  /** Frequency response of the current trajectory; `null`: none. */
  responseProfile: ResponseProfile | null = null;
  private lastFcrAllocation: FcrAllocation | null = null;
  private readonly pendingFcrAllocations: { readonly effectMs: EpochMs; readonly response: FcrAllocation | null }[] =
    [];
  /** When the present trajectory must be planned again. */
  replanMs: ReplanMs = Number.POSITIVE_INFINITY;
  /** Reused for each trajectory. */
  private readonly conditions = newOperatingConditions();
  private lastSetpointKw = Number.NaN;
  /** Set-point passed to the component; reused for each trajectory. */
  readonly setpoint = { isInstructed: true, baselineKw: 0, deltaKw: 0, kwPerMs: 0, fcr: null };

  constructor(component: T, headroom: ComponentHeadroom, delayMs: number) {
    super();
    this.component = component;
    this.headroom = headroom;
    this.delayMs = Math.ceil(delayMs);
  }

  /** Sends a set-point, which takes effect after the delays of the link and of the component. */
  applySetpoint(kw: number, atMs: EpochMs): void {
    if (Object.is(kw, this.lastSetpointKw)) return;
    this.lastSetpointKw = kw;
    if (this.delayMs === 0) this.effectiveKw = kw;
    else this.pendingSetpoints.push({ effectMs: atMs + this.delayMs, kw });
  }

  /** Sends an FCR allocation, with the same delay as a set-point. */
  applyFcrAllocation(response: FcrAllocation | null, atMs: EpochMs): void {
    const last = this.lastFcrAllocation;
    if (last?.share === response?.share && isSameFcrSetpoint(last?.fcr ?? null, response?.fcr ?? null)) return;
    this.lastFcrAllocation = response;
    if (this.delayMs === 0) this.fcrAllocation = response;
    else this.pendingFcrAllocations.push({ effectMs: atMs + this.delayMs, response });
  }

  /** FCR capacity in kW, reserved on both sides of the set-point. */
  get fcrCapacityKw(): number {
    if (this.responseProfile === null || this.fcrAllocation === null) return 0;
    let kw = 0;
    for (const { fcrCapacityKw } of this.fcrAllocation.fcr.orderResponses) kw += fcrCapacityKw;
    return kw;
  }

  /** Plans the trajectory for the set-point and the frequency response. */
  planTrajectory(atMs: EpochMs, { inService, outputLimitShare }: OperatingConditions): void {
    const { conditions } = this;
    conditions.inService = inService;
    conditions.outputLimitShare = outputLimitShare;
    conditions.response = this.responseProfile;
    this.replanMs = this.component.planTrajectory(atMs, this.setpoint, conditions);
  }

  /** Plans the trajectory for a linear power instead of the set-point. */
  trackLinearPower(kw: number, kwPerMs: number, atMs: EpochMs, conditions: OperatingConditions): void {
    this.setpoint.deltaKw = kw;
    this.setpoint.kwPerMs = kwPerMs;
    this.planTrajectory(atMs, conditions);
  }

  /** Ends the set-point without delay and drops pending ones (docs/model/connection-point.md#delays). */
  release(): void {
    this.pendingSetpoints.length = 0;
    this.effectiveKw = Number.NaN;
    this.lastSetpointKw = Number.NaN;
  }

  /** The set-point sent last in kW; 0 if none. */
  get setpointKw(): number {
    return Number.isNaN(this.lastSetpointKw) ? 0 : this.lastSetpointKw;
  }

  /** Whether a set-point has been sent, in effect or pending. */
  get hasSetpoint(): boolean {
    return !Number.isNaN(this.lastSetpointKw);
  }

  /** Restores a saved set-point. */
  restore({ kw, setpointKw, response, own }: ComponentSnapshot): void {
    this.isIndividuallyControlled = own === true;
    this.pendingSetpoints.length = 0;
    this.pendingFcrAllocations.length = 0;
    this.fcrAllocation = response;
    this.lastFcrAllocation = response;
    this.effectiveKw = kw;
    this.lastSetpointKw = setpointKw;
  }

  activatePending(atMs: EpochMs): void {
    const { pendingSetpoints: setpoints, pendingFcrAllocations: responses } = this;
    while (setpoints.length > 0 && setpoints[0].effectMs <= atMs) {
      this.effectiveKw = setpoints[0].kw;
      setpoints.shift();
    }
    while (responses.length > 0 && responses[0].effectMs <= atMs) {
      this.fcrAllocation = responses[0].response;
      responses.shift();
    }
  }

  /** When the next pending change takes effect; `Infinity` if there is none. */
  get nextEffectMs(): EpochMs {
    const amountMs = this.pendingSetpoints.length > 0 ? this.pendingSetpoints[0].effectMs : Number.POSITIVE_INFINITY;
    const responses = this.pendingFcrAllocations;
    return responses.length > 0 ? Math.min(amountMs, responses[0].effectMs) : amountMs;
  }
}
