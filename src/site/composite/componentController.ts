import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ResponseProfile } from "../../device/frequency/responseProfile.ts";
import { type Component, kindOf } from "../components/registry.ts";
import type { FcrAllocation, OperatingConditions, ReplanMs } from "../components/setpoint.ts";
import { isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import type { SiteConstraints } from "../siteConstraints.ts";

/** Limits of the grid point that a site sets anew for one of its parts whenever the others' power moves. */
export type ComponentHeadroom = { -readonly [Key in keyof SiteConstraints]: SiteConstraints[Key] };

interface SavedControllerState {
  readonly kw: number;
  readonly toldKw: number;
  readonly response: FcrAllocation | null;
  readonly own?: true;
}

/** What a part of a site is told, and when it hears it: `NaN` is its own way (idle, natural load). */
export class ComponentController<Unit extends Component> extends Copyable {
  readonly component: Unit;
  readonly headroom: ComponentHeadroom;
  private readonly delayMs: number;
  /** Told something by itself, and left out of what the site as a whole is told. */
  isIndividuallyControlled = false;
  private readonly pendingSetpoints: { readonly effectMs: EpochMs; readonly kw: number }[] = [];
  /** kW in effect: a share of the site's delta or, for a tracking battery, what the meter is to show. */
  effectiveKw = Number.NaN;
  /** In effect; `null`: it does not answer the frequency. */
  fcrAllocation: FcrAllocation | null = null;
  /** What it adds to its power under the present law; `null`: nothing. */
  responseProfile: ResponseProfile | null = null;
  private lastFcrAllocation: FcrAllocation | null = null;
  private readonly pendingFcrAllocations: { readonly effectMs: EpochMs; readonly response: FcrAllocation | null }[] =
    [];
  /** Filled anew for each law. */
  private readonly conditions: { inService: boolean; outputLimit: number; response: ResponseProfile | null } = {
    inService: true,
    outputLimit: 1,
    response: null,
  };
  private lastSetpointKw = Number.NaN;
  /** What the unit is given; filled anew for each law. */
  readonly setpoint = { isInstructed: true, baselineKw: 0, deltaKw: 0, kwPerMs: 0, fcr: null };

  constructor(unit: Unit, room: ComponentHeadroom, latencyMs: number) {
    super();
    this.component = unit;
    this.headroom = room;
    this.delayMs = Math.ceil(latencyMs + kindOf(unit).operation.responseDelayMs(unit.spec));
  }

  /** Tells the part its amount; it hears it after its own delay and the link's. */
  applySetpoint(kw: number, atMs: EpochMs): void {
    if (Object.is(kw, this.lastSetpointKw)) return;
    this.lastSetpointKw = kw;
    if (this.delayMs === 0) this.effectiveKw = kw;
    else this.pendingSetpoints.push({ effectMs: atMs + this.delayMs, kw });
  }

  /** Tells the part how to answer the frequency; it hears it as late as an amount. */
  applyFcrAllocation(response: FcrAllocation | null, atMs: EpochMs): void {
    const told = this.lastFcrAllocation;
    if (told?.share === response?.share && isSameFcrSetpoint(told?.fcr ?? null, response?.fcr ?? null)) return;
    this.lastFcrAllocation = response;
    if (this.delayMs === 0) this.fcrAllocation = response;
    else this.pendingFcrAllocations.push({ effectMs: atMs + this.delayMs, response });
  }

  /** kW that it may have to go to either side of its amount for the frequency. */
  get fcrCapacityKw(): number {
    if (this.responseProfile === null || this.fcrAllocation === null) return 0;
    let kw = 0;
    for (const part of this.fcrAllocation.fcr.orderResponses) kw += part.fcrCapacityKw;
    return kw;
  }

  /** Has the part follow its target, and the frequency where it answers it. */
  planTrajectory(atMs: EpochMs, { inService, outputLimit }: OperatingConditions): ReplanMs {
    const around = this.conditions;
    around.inService = inService;
    around.outputLimit = outputLimit;
    around.response = this.responseProfile;
    return this.component.planTrajectory(atMs, this.setpoint, around);
  }

  /** Has the part follow a power that moves straight from now on, in place of the amount that it was told. */
  trackLinearPower(kw: number, kwPerMs: number, atMs: EpochMs, around: OperatingConditions): ReplanMs {
    this.setpoint.deltaKw = kw;
    this.setpoint.kwPerMs = kwPerMs;
    return this.planTrajectory(atMs, around);
  }

  /** Lets go at once, whatever was on its way (docs/model/connection-point.md#delays: a load releases without delay). */
  release(): void {
    this.pendingSetpoints.length = 0;
    this.effectiveKw = Number.NaN;
    this.lastSetpointKw = Number.NaN;
  }

  /** What it was told last; 0 where it goes its own way. */
  get setpointKw(): number {
    return Number.isNaN(this.lastSetpointKw) ? 0 : this.lastSetpointKw;
  }

  /** Whether it was told an amount, heard or not. */
  get hasSetpoint(): boolean {
    return !Number.isNaN(this.lastSetpointKw);
  }

  /** Puts an amount in effect, as it once was. */
  restore({ kw, toldKw, response, own }: SavedControllerState): void {
    this.isIndividuallyControlled = own === true;
    this.pendingSetpoints.length = 0;
    this.pendingFcrAllocations.length = 0;
    this.fcrAllocation = response;
    this.lastFcrAllocation = response;
    this.effectiveKw = kw;
    this.lastSetpointKw = toldKw;
  }

  activatePending(atMs: EpochMs): void {
    while (this.pendingSetpoints.length > 0 && this.pendingSetpoints[0].effectMs <= atMs)
      this.effectiveKw = this.pendingSetpoints.shift()!.kw;
    const responses = this.pendingFcrAllocations;
    while (responses.length > 0 && responses[0].effectMs <= atMs) this.fcrAllocation = responses.shift()!.response;
  }

  /** When the next change on its way takes effect; `Infinity` when none is. */
  get nextEffectMs(): EpochMs {
    const amountMs = this.pendingSetpoints.length > 0 ? this.pendingSetpoints[0].effectMs : Number.POSITIVE_INFINITY;
    const responses = this.pendingFcrAllocations;
    return responses.length > 0 ? Math.min(amountMs, responses[0].effectMs) : amountMs;
  }
}
