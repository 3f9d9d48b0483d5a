import type { EpochMs } from "../../../base/time.ts";
import { type DevicePlanInput, newPlanInput } from "../../device/curve/devicePlanInput.ts";
import type { ResponseProfile } from "../../device/frequency/responseProfile.ts";
import type { Series } from "../../series/model/series.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { PowerLimits } from "../siteConstraints.ts";
import { BaseComponent } from "./baseComponent.ts";
import type { ReplanMs, Setpoint } from "./setpoint.ts";

/** A battery or plant: without an instruction it follows its own plan. */
export abstract class PlanFollowingComponent extends BaseComponent {
  protected plan: Series | number;
  protected readonly limits: PowerLimits;
  /** Share of the rated output that output control allows, 0..1. */
  protected outputLimitShare = 1;
  /** Frequency response beside the target; `null`: none. */
  protected responseProfile: ResponseProfile | null = null;
  /** Reused for each plan to avoid allocation on this hot path. */
  protected readonly planInput: DevicePlanInput = newPlanInput();

  constructor(limits: PowerLimits, plan: Series | number) {
    super();
    this.limits = limits;
    this.plan = plan;
  }

  /** Replaces the plan, with effect from the next trajectory. */
  override applyBaseline({ planKw }: SiteBaseline): void {
    this.plan = planKw;
  }

  /** Power of the plan in kW, import positive. */
  protected planKwAt(atMs: EpochMs): number {
    return typeof this.plan === "number" ? this.plan : this.plan.valueAt(atMs);
  }

  /** Sets the target of the next trajectory. @returns the next change of the plan where it is followed, else `Infinity` */
  protected setTarget(atMs: EpochMs, target: Setpoint): ReplanMs {
    const { plan, planInput } = this;
    planInput.targetSlopeKwPerMs = target.kwPerMs ?? 0;
    if (target.isInstructed) planInput.targetKw = target.baselineKw + target.deltaKw;
    else if (typeof plan === "number") planInput.targetKw = plan;
    else {
      planInput.targetKw = plan.valueAt(atMs);
      planInput.targetSlopeKwPerMs = plan.slopeAt(plan.indexAt(atMs));
      return plan.nextChangeMs(atMs);
    }
    return Number.POSITIVE_INFINITY;
  }
}
