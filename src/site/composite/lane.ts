import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ResponsePath } from "../../device/frequency/responsePath.ts";
import type { Part } from "../components/part.ts";
import type { PartResponse, ReplanMs, Surroundings } from "../components/target.ts";
import { sameFcr } from "../frequency/fcrTarget.ts";
import type { SiteConstraints } from "../siteSpec.ts";

/** Limits of the grid point that a site sets anew for one of its parts whenever the others' power moves. */
export type Room = { -readonly [Key in keyof SiteConstraints]: SiteConstraints[Key] };

interface Recalled {
  readonly kw: number;
  readonly toldKw: number;
  readonly response: PartResponse | null;
  readonly own?: true;
}

/** What a part of a site is told, and when it hears it: `NaN` is its own way (idle, natural load). */
export class Lane<Unit extends Part> extends Copyable {
  readonly unit: Unit;
  readonly room: Room;
  private readonly delayMs: number;
  /** Told something by itself, and left out of what the site as a whole is told. */
  isOwn = false;
  private readonly pending: { readonly effectMs: EpochMs; readonly kw: number }[] = [];
  /** kW in effect: a share of the site's delta or, for a tracking battery, what the meter is to show. */
  kw = Number.NaN;
  /** In effect; `null`: it does not answer the frequency. */
  response: PartResponse | null = null;
  /** What it adds to its power under the present law; `null`: nothing. */
  path: ResponsePath | null = null;
  private toldResponse: PartResponse | null = null;
  private readonly pendingResponses: { readonly effectMs: EpochMs; readonly response: PartResponse | null }[] = [];
  /** Filled anew for each law. */
  private readonly around: { inService: boolean; outputLimit: number; response: ResponsePath | null } = {
    inService: true,
    outputLimit: 1,
    response: null,
  };
  private lastToldKw = Number.NaN;
  /** What the unit is given; filled anew for each law. */
  readonly target = { instructed: true, baselineKw: 0, deltaKw: 0, kwPerMs: 0, fcr: null };

  constructor(unit: Unit, room: Room, latencyMs: number) {
    super();
    this.unit = unit;
    this.room = room;
    this.delayMs = Math.ceil(latencyMs + ("responseDelayMs" in unit.spec ? unit.spec.responseDelayMs : 0));
  }

  /** Tells the part its amount; it hears it after its own delay and the link's. */
  tell(kw: number, atMs: EpochMs): void {
    if (Object.is(kw, this.lastToldKw)) return;
    this.lastToldKw = kw;
    if (this.delayMs === 0) this.kw = kw;
    else this.pending.push({ effectMs: atMs + this.delayMs, kw });
  }

  /** Tells the part how to answer the frequency; it hears it as late as an amount. */
  tellResponse(response: PartResponse | null, atMs: EpochMs): void {
    const told = this.toldResponse;
    if (told?.share === response?.share && sameFcr(told?.fcr ?? null, response?.fcr ?? null)) return;
    this.toldResponse = response;
    if (this.delayMs === 0) this.response = response;
    else this.pendingResponses.push({ effectMs: atMs + this.delayMs, response });
  }

  /** kW that it may have to go to either side of its amount for the frequency. */
  get widthKw(): number {
    if (this.path === null || this.response === null) return 0;
    let kw = 0;
    for (const part of this.response.fcr.parts) kw += part.widthKw;
    return kw;
  }

  /** Has the part follow its target, and the frequency where it answers it. */
  follow(atMs: EpochMs, { inService, outputLimit }: Surroundings): ReplanMs {
    const around = this.around;
    around.inService = inService;
    around.outputLimit = outputLimit;
    around.response = this.path;
    return this.unit.follow(atMs, this.target, around);
  }

  /** Has the part follow a power that moves straight from now on, in place of the amount that it was told. */
  pursue(kw: number, kwPerMs: number, atMs: EpochMs, around: Surroundings): ReplanMs {
    this.target.deltaKw = kw;
    this.target.kwPerMs = kwPerMs;
    return this.follow(atMs, around);
  }

  /** Lets go at once, whatever was on its way (decisions.md 110: a load releases without delay). */
  release(): void {
    this.pending.length = 0;
    this.kw = Number.NaN;
    this.lastToldKw = Number.NaN;
  }

  /** What it was told last; 0 where it goes its own way. */
  get toldKw(): number {
    return Number.isNaN(this.lastToldKw) ? 0 : this.lastToldKw;
  }

  /** Whether it was told an amount, heard or not. */
  get isTold(): boolean {
    return !Number.isNaN(this.lastToldKw);
  }

  /** Puts an amount in effect, as it once was. */
  recall({ kw, toldKw, response, own }: Recalled): void {
    this.isOwn = own === true;
    this.pending.length = 0;
    this.pendingResponses.length = 0;
    this.response = response;
    this.toldResponse = response;
    this.kw = kw;
    this.lastToldKw = toldKw;
  }

  takeEffect(atMs: EpochMs): void {
    while (this.pending.length > 0 && this.pending[0].effectMs <= atMs) this.kw = this.pending.shift()!.kw;
    const responses = this.pendingResponses;
    while (responses.length > 0 && responses[0].effectMs <= atMs) this.response = responses.shift()!.response;
  }

  /** When the next change on its way takes effect; `Infinity` when none is. */
  get nextEffectMs(): EpochMs {
    const amountMs = this.pending.length > 0 ? this.pending[0].effectMs : Number.POSITIVE_INFINITY;
    const responses = this.pendingResponses;
    return responses.length > 0 ? Math.min(amountMs, responses[0].effectMs) : amountMs;
  }
}
