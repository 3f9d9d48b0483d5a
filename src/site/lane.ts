import type { EpochMs } from "../base/time.ts";
import type { BatteryUnit } from "./batteryUnit.ts";
import type { ConsumerUnit } from "./consumerUnit.ts";
import type { DispatchableUnit } from "./dispatchableUnit.ts";
import type { SiteConstraints } from "./siteSpec.ts";

/** Limits of the grid point that a site sets anew for one of its parts whenever the others' power moves. */
export type Room = { -readonly [Key in keyof SiteConstraints]: SiteConstraints[Key] };

/** What a part of a site is told, and when it hears it: `NaN` is its own way (idle, natural load). */
export class Lane<Unit extends BatteryUnit | DispatchableUnit | ConsumerUnit> {
  readonly unit: Unit;
  readonly room: Room;
  readonly #delayMs: number;
  readonly #pending: { readonly effectMs: EpochMs; readonly kw: number }[] = [];
  /** kW in effect: a share of the site's delta or, for a tracking battery, what the meter is to show. */
  kw = Number.NaN;
  #toldKw = Number.NaN;
  /** What the unit is given; filled anew for each law. */
  readonly target = { instructed: true, baselineKw: 0, deltaKw: 0, kwPerMs: 0, fcr: null };

  constructor(unit: Unit, room: Room, latencyMs: number) {
    this.unit = unit;
    this.room = room;
    this.#delayMs = Math.ceil(latencyMs + ("responseDelayMs" in unit.spec ? unit.spec.responseDelayMs : 0));
  }

  /** Tells the part its amount; it hears it after its own delay and the link's. */
  tell(kw: number, atMs: EpochMs): void {
    if (Object.is(kw, this.#toldKw)) return;
    this.#toldKw = kw;
    if (this.#delayMs === 0) this.kw = kw;
    else this.#pending.push({ effectMs: atMs + this.#delayMs, kw });
  }

  /** Lets go at once, whatever was on its way (decisions.md 110: a load releases without delay). */
  release(): void {
    this.#pending.length = 0;
    this.kw = Number.NaN;
    this.#toldKw = Number.NaN;
  }

  /** What it was told last; 0 where it goes its own way. */
  get toldKw(): number {
    return Number.isNaN(this.#toldKw) ? 0 : this.#toldKw;
  }

  /** Whether it was told an amount, heard or not. */
  get isTold(): boolean {
    return !Number.isNaN(this.#toldKw);
  }

  /** Puts an amount in effect, as it once was. */
  recall({ kw, toldKw }: { readonly kw: number; readonly toldKw: number }): void {
    this.#pending.length = 0;
    this.kw = kw;
    this.#toldKw = toldKw;
  }

  takeEffect(atMs: EpochMs): void {
    while (this.#pending.length > 0 && this.#pending[0].effectMs <= atMs) this.kw = this.#pending.shift()!.kw;
  }

  /** When the next change on its way takes effect; `Infinity` when none is. */
  get nextEffectMs(): EpochMs {
    return this.#pending.length > 0 ? this.#pending[0].effectMs : Number.POSITIVE_INFINITY;
  }
}
