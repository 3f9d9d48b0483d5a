import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { ResponseWindows } from "../../device/frequency/responseWindow.ts";
import { copyStretch, newStretch, type Stretch } from "../components/stretch.ts";
import type { ReplanMs } from "../components/target.ts";
import type { FcrRegisters } from "../frequency/fcrRegisters.ts";
import { ratedPowerKw } from "../frequency/fcrTarget.ts";
import { SiteResponse } from "../frequency/siteResponse.ts";
import type { HeldOrders } from "../orders/heldOrders.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";
import type { ComponentSpec } from "../siteSpec.ts";
import type { Unit } from "../unit.ts";
import type { CompositeUnit } from "./compositeUnit.ts";
import { addToSum, beginSum, rebase } from "./powerSum.ts";

/**
 * The frequency response of a site of several components: each holder gives its share on top of what it does besides,
 * and what the site gives is their sum.
 */
export class CompositeResponse extends Copyable {
  private readonly unit: CompositeUnit;
  private readonly responses: readonly SiteResponse[];
  /** Of each part, in their order: without what its response moves. */
  private readonly without: readonly Stretch[];
  private inForce = false;

  /** @param ratedKw  of all holders together, which droops count by */
  constructor(unit: CompositeUnit, orders: HeldOrders, windows: ResponseWindows, ratedKw: number) {
    super();
    this.unit = unit;
    this.responses = unit.holders.map((lane) => new SiteResponse(lane.unit, orders, windows, ratedKw, "whole_target"));
    this.without = unit.parts.map(newStretch);
  }

  get isInForce(): boolean {
    return this.inForce;
  }

  /** Answers by another configuration from the next law on. */
  useWindows(windows: ResponseWindows): void {
    for (const response of this.responses) response.useWindows(windows);
  }

  /** Gives each holder its path; its law comes after that. @returns until when the paths are known */
  begin(atMs: EpochMs, canRespond: boolean): ReplanMs {
    let untilMs = Number.POSITIVE_INFINITY;
    this.inForce = false;
    const { importMaxKw, exportMaxKw, isTracking } = this.unit;
    // Where laws are made anew every other second, a path of half an hour each time would be too much.
    const longestMs =
      isTracking || Math.min(importMaxKw, exportMaxKw) < Number.POSITIVE_INFINITY ? MS_PER_MINUTE : undefined;
    this.unit.holders.forEach((lane, k) => {
      lane.takeEffect(atMs);
      const { response } = lane;
      const target = { ...lane.target, fcr: response?.fcr ?? null };
      lane.path = this.responses[k].begin(atMs, target, canRespond, response?.share ?? 0, longestMs);
      if (response !== null) this.inForce = true;
      if (lane.path !== null) untilMs = Math.min(untilMs, lane.path.untilMs);
    });
    return untilMs;
  }

  /** The laws are made: what each holder is to do besides is known. */
  begun(): void {
    this.unit.holders.forEach((lane, k) => {
      this.responses[k].aimAt(lane.target);
    });
  }

  close(atMs: EpochMs): void {
    for (const response of this.responses) response.close(atMs);
    this.inForce = false;
  }

  /** Energies are the sum over the holders; the time at a bound is that of the one that stood there longest. */
  registers(order: SiteOrder, atMs: EpochMs): Readonly<FcrRegisters> {
    const sum = { upKwh: 0, downKwh: 0, askedKwh: 0, atBoundMs: 0 };
    for (const response of this.responses) {
      const { upKwh, downKwh, askedKwh, atBoundMs } = response.registers(order, atMs);
      sum.upKwh += upKwh;
      sum.downKwh += downKwh;
      sum.askedKwh += askedKwh;
      sum.atBoundMs = Math.max(sum.atBoundMs, atBoundMs);
    }
    return sum;
  }

  /** The site's power without what its holders' responses move; PV and wind as they are beside those responses. */
  stretchWithoutAt(atMs: EpochMs, out: Stretch): void {
    const unit = this.unit;
    const without = this.without;
    // Only where sun and wind may have to yield does their power depend on the others'.
    const yields = unit.generators.length > 0 && unit.exportMaxKw < Number.POSITIVE_INFINITY;
    const endMs = yields ? unit.fill(atMs) : Number.POSITIVE_INFINITY;
    beginSum(out, atMs, 0);
    unit.parts.forEach((part, k) => {
      const power = without[k];
      const holder = unit.holders.findIndex((lane) => lane.unit === part);
      if (holder >= 0 && this.responses[holder].isInForce) this.responses[holder].stretchWithoutAt(atMs, power);
      else if (part.kind === "generator" && yields) copyStretch(unit.powers[k], power);
      else part.stretchAt(atMs, power);
      rebase(power, atMs);
      addToSum(out, power);
    });
    out.kw = out.kw || 0;
    out.endMs = Math.min(out.endMs, endMs);
    unit.fillBinding(out, without);
  }
}

/** Of one component or of several. */
export type AnyResponse = SiteResponse | CompositeResponse;

/** What answers the frequency at a site. @param components  all that answer, whose rated power droops count by */
export function newResponse(
  unit: Unit,
  orders: HeldOrders,
  windows: ResponseWindows,
  components: readonly ComponentSpec[],
): AnyResponse {
  const ratedKw = ratedPowerKw(components);
  return unit.kind === "multi_component"
    ? new CompositeResponse(unit, orders, windows, ratedKw)
    : new SiteResponse(unit, orders, windows, ratedKw);
}
