import { roundKw } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Site } from "../site/site.ts";
import type { SiteOrder } from "../site/siteOrder.ts";
import type { Observer } from "./observer.ts";
import { DUE, RANK } from "./ranks.ts";
import type { ScenarioEvent } from "./worldSpec.ts";

export type DirectSchedule = ScenarioEvent & { readonly kind: "direct_schedule" };

/** What direct calls act on. */
interface Ground {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  touch(site: Site): void;
  /** The next number in the order of registrations. */
  nextRegistration(): number;
}

/**
 * Schedules that owners give to their own sites, past the VPP: at the site the last registration rules, and the VPP
 * does not see it (decisions.md 47, 109).
 */
export class DirectCalls {
  readonly #ground: Ground;
  readonly #kernel: Kernel;
  readonly #observer: Observer;
  readonly #calls: { readonly order: SiteOrder; readonly schedule: DirectSchedule }[] = [];

  constructor(ground: Ground, kernel: Kernel, observer: Observer) {
    this.#ground = ground;
    this.#kernel = kernel;
    this.#observer = observer;
  }

  /** Registers a schedule; one whose time has begun starts at once. */
  register(schedule: DirectSchedule): void {
    const { nowMs } = this.#ground;
    const order: SiteOrder = {
      sku: null,
      startMs: Math.max(schedule.startMs, nowMs),
      endMs: schedule.endMs,
      activation: 1,
      registration: this.#ground.nextRegistration(),
    };
    const number = this.#calls.push({ order, schedule }) - 1;
    if (order.endMs <= order.startMs) return;
    this.#ground.sites[schedule.site].ownSchedules.push(order);
    this.#kernel.schedule(order.startMs, RANK.start, DUE.directStart, number);
    this.#kernel.schedule(order.endMs, RANK.end, DUE.directEnd, number);
    this.#tell(schedule, "registered");
  }

  start(number: number): void {
    const { order, schedule } = this.#calls[number];
    const site = this.#ground.sites[schedule.site];
    this.#ground.touch(site);
    const baselineKw = roundKw(site.slotKwAt(this.#ground.nowMs));
    const refusal = site.take(order, { deltaKw: roundKw(schedule.deltaKw), fcrKw: 0 }, baselineKw, this.#ground.nowMs);
    this.#tell(schedule, refusal === null ? "starts" : `refused: ${refusal}`);
  }

  end(number: number): void {
    const { order, schedule } = this.#calls[number];
    const site = this.#ground.sites[schedule.site];
    site.ownSchedules.splice(site.ownSchedules.indexOf(order), 1);
    if (!site.holds(order)) return;
    this.#ground.touch(site);
    site.release(order, this.#ground.nowMs);
    this.#tell(schedule, "ends");
  }

  #tell({ site, deltaKw }: DirectSchedule, what: string): void {
    const { name } = this.#ground.sites[site].spec;
    this.#observer.happened("direct_schedule", name, `${roundKw(deltaKw)} kW, ${what}`, this.#ground.nowMs);
  }
}
