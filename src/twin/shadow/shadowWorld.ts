import type { VppDetails, VppSchedules } from "../../api/client/index.ts";
import { inputRefusal } from "../../base/inputError.ts";
import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_MINUTE } from "../../base/time.ts";
import { ObserverList } from "../../engine/simulation/observerList.ts";
import { World } from "../../engine/simulation/world.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Site } from "../../engine/site/site.ts";
import type { Vpp } from "../../engine/vpp/vpp.ts";
import type { PvPlants } from "../fit/pvPlants.ts";
import { HeldInputs, type MemberDetails } from "./heldInputs.ts";
import { shadowSpec } from "./shadowSpec.ts";

type Schedule = VppSchedules["schedules"][number];
type ShownFault = "outage" | "link_down";

/** Of the clock of the VPP. */
const SCHEDULE_READS_MS = MS_PER_MINUTE;
/** The API has schedules of 30 days; the answer comes later than the clock that was read. */
const SCHEDULE_AGE_MS = 29 * MS_PER_DAY;

/** A twin that runs beside a VPP: it takes orders, faults and inputs as the VPP shows them (docs/model/twin.md#shadow). */
export class ShadowWorld {
  private readonly world: World;
  private readonly vpp: Vpp;
  private readonly inputs: ReadonlyMap<Site, HeldInputs>;
  /** End of the series of the scenario. */
  private readonly seriesEndMs: EpochMs;
  /** Ids of faults that the VPP shows. */
  private readonly faultIds = new Map<Site, Map<ShownFault, string>>();
  /** By `schedule_id` of the VPP: the id in the twin; `null`: refused there. */
  private readonly scheduleIds = new Map<string, string | null>();
  private readonly waiting = new Map<string, Schedule>();
  private schedulesReadMs = Number.NEGATIVE_INFINITY;

  /** @param atMs  clock of the VPP at the first read */
  constructor(spec: WorldSpec, vppId: string, pvPlants: PvPlants, atMs: EpochMs) {
    if (atMs < spec.startMs)
      throw inputRefusal(
        "scenario",
        `a start at ${isoUtc(spec.startMs)}`,
        `one before the VPP's clock, ${isoUtc(atMs)}`,
      );
    this.world = new World(shadowSpec(spec, atMs), new ObserverList());
    this.vpp = vppOf(this.world, vppId);
    this.seriesEndMs = spec.endMs;
    this.inputs = new Map(
      this.world.sites.map((site) => [site, new HeldInputs(site, pvPlants.get(site.spec.name) ?? null, atMs)]),
    );
  }

  get nowMs(): EpochMs {
    return this.world.nowMs;
  }

  /** The end of the longest possible shadow. */
  get endMs(): EpochMs {
    return this.world.spec.endMs;
  }

  /** `undefined`: not in the scenario. */
  siteOf(emsId: string): Site | undefined {
    return this.world.siteById(emsId);
  }

  /** Whether the VPP may have received schedules that are not known. */
  get isScheduleReadDue(): boolean {
    return this.schedulesReadMs + SCHEDULE_READS_MS <= this.nowMs;
  }

  /** Earliest start of schedules that may be new, run, or have gone. */
  get schedulesFromMs(): EpochMs {
    const readMs = Math.max(this.schedulesReadMs, this.nowMs - SCHEDULE_AGE_MS);
    return Math.min(readMs, ...[...this.waiting.values()].map(({ start_time }) => Date.parse(start_time)));
  }

  /** Runs to an instant by the inputs and orders known so far. */
  advance(atMs: EpochMs): void {
    this.world.runThrough(atMs);
  }

  /** Takes the weights of members, for orders that start from now on. */
  takeWeights({ members }: VppDetails): void {
    this.world.runCommand(() => {
      for (const { ems_id, allocation_weight } of members) {
        const index = this.siteOf(ems_id)?.index;
        const known = index === undefined ? undefined : this.vpp.findMember(index);
        if (known === undefined || known.allocationWeight === allocation_weight) continue;
        this.world.memberships.update(this.vpp, known.site, { allocationWeight: allocation_weight });
      }
    });
  }

  /** Takes inputs that were measured now, after the end of the series. */
  hold(members: readonly MemberDetails[]): void {
    if (this.nowMs < this.seriesEndMs) return;
    this.world.runCommand(() => {
      for (const member of members) {
        const site = this.siteOf(member.ems_id);
        if (site !== undefined) this.inputs.get(site)?.hold(this.world, member);
      }
    });
  }

  /** Begins a fault that the VPP shows, unless it lasts. */
  beginFault(site: Site, kind: ShownFault): void {
    const ids = this.faultIds.get(site) ?? new Map<ShownFault, string>();
    this.faultIds.set(site, ids);
    if (ids.has(kind)) return;
    const event = { kind, atMs: this.nowMs, settled: true, site: site.index, untilMs: Number.POSITIVE_INFINITY };
    ids.set(kind, this.world.runCommand(() => this.world.faults.begin(event)).faultId);
  }

  /** Ends a fault that the VPP has shown. */
  endFault(site: Site, kind: ShownFault): void {
    const ids = this.faultIds.get(site);
    const id = ids?.get(kind);
    if (id === undefined) return;
    this.world.runCommand(() => this.world.faults.end(id));
    ids?.delete(kind);
  }

  /** Registers schedules that the VPP has received since the last ones, and removes those that it has no longer. */
  takeSchedules({ schedules }: VppSchedules): void {
    this.world.runCommand(() => {
      const shown = new Set(schedules.map(({ schedule_id }) => schedule_id));
      for (const [id, { start_time }] of this.waiting) {
        if (shown.has(id) && this.nowMs < Date.parse(start_time)) continue;
        this.waiting.delete(id);
        const ownId = this.scheduleIds.get(id) ?? null;
        if (!shown.has(id) && ownId !== null) this.world.orderIntake.removeSchedule(this.vpp, ownId);
      }
      const inOrder = [...schedules].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
      for (const schedule of inOrder) this.register(schedule);
    });
    this.schedulesReadMs = this.nowMs;
  }

  /** Pieces that are left of an older schedule have its time of registration: the twin cuts them by itself. */
  private register(schedule: Schedule): void {
    const { schedule_id, created_at, start_time, end_time } = schedule;
    const [startMs, endMs] = [Date.parse(start_time), Date.parse(end_time)];
    if (this.scheduleIds.has(schedule_id) || Date.parse(created_at) < this.schedulesReadMs || endMs <= this.nowMs)
      return;
    const givenKw = Float64Array.from(this.world.sites, (site) => {
      const member = schedule.members.find(({ ems_id }) => ems_id === site.spec.emsId);
      return member?.baseline_kw ?? site.baselineSlotKwAt(startMs);
    });
    const result = this.world.orderIntake.registerSchedule(
      {
        awardId: schedule_id,
        vpp: this.vpp.index,
        sku: schedule.sku,
        startMs: Math.max(startMs, this.nowMs),
        endMs,
        registeredMs: this.nowMs,
        deltaKw: schedule.delta_kw,
        fcrResponseKw: schedule.fcr_response_kw,
        compoundBreakdown: schedule.compound_breakdown,
        activation: 1,
        capacityPriceJpyPerKwHour: null,
        priceJpyPerKwh: null,
        penaltyJpyPerKwh: null,
      },
      givenKw,
    );
    this.scheduleIds.set(schedule_id, result.ok ? result.value.instruction.scheduleId : null);
    if (this.nowMs < startMs) this.waiting.set(schedule_id, schedule);
  }
}

function vppOf(world: World, vppId: string): Vpp {
  const found = world.vppById(vppId);
  if (found !== undefined) return found;
  const ids = world.vpps.map(({ spec }) => spec.vppId).join(", ");
  throw inputRefusal("--vpp", vppId, `a VPP of the scenario (${ids})`);
}
