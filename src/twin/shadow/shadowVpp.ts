import { ConnectionError, type VppDetails } from "../../api/client/index.ts";
import { inputRefusal } from "../../base/inputError.ts";
import { roundKw, roundTo } from "../../base/rounding.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { ratedKwOf } from "../../engine/site/components/ratedKwOf.ts";
import type { Site } from "../../engine/site/site.ts";
import type { SiteSpec } from "../../engine/site/siteSpec.ts";
import { buildScenario } from "../../inputs/scenario/loadScenario.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import type { ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";
import { RunStopped } from "../../report/runStopped.ts";
import { type SiteStorage, siteStorages } from "../check/siteStorage.ts";
import { pvPlantsOf } from "../fit/pvPlants.ts";
import { openVpp, type VppConnection, wordedError } from "../openVpp.ts";
import type { VppAccess } from "../read/vppReader.ts";
import type { MemberDetails } from "./heldInputs.ts";
import { ShadowWorld } from "./shadowWorld.ts";
import { type DriftAlarm, SiteDrift } from "./siteDrift.ts";

/** A line of drift.jsonl: a site at one read; kW import positive, %. */
export interface DriftLine {
  readonly at: string;
  readonly site: string;
  readonly current_kw: number | null;
  readonly twin_kw: number;
  /** Twin less measured; `null` without a present measurement. */
  readonly difference_kw: number | null;
  readonly soc: number | null;
  readonly twin_soc: number | null;
  readonly alarm: DriftAlarm | null;
}

interface ShadowOptions extends VppConnection {
  readonly source: ScenarioSource;
  readonly patch: Patch;
  /** Mean absolute difference of power in a check, in kW, by site. */
  readonly checkedKwMae: ReadonlyMap<string, number>;
  /** Real time between two reads. */
  readonly everySeconds: number;
  /** `Infinity`: until it is stopped. */
  readonly readsMax: number;
  /** Of one read. */
  readonly onLines: (lines: readonly DriftLine[]) => void;
  readonly onAlarm: (
    line: DriftLine,
    change: { readonly alarm: DriftAlarm; readonly state: "begins" | "ends" },
  ) => void;
  readonly warn: (message: string) => void;
}

interface ShadowResult {
  readonly reads: number;
  readonly sites: number;
  /** Number of alarms that began. */
  readonly alarms: number;
}

/**
 * Runs a twin beside a VPP in operation (docs/model/twin.md#shadow). An abort of the signal ends it.
 *
 * @throws InputErrors for what the user can put right; RunStopped for what the same command may overcome
 */
export async function shadowVpp(options: ShadowOptions): Promise<ShadowResult> {
  const { sites } = buildScenario(options.source, { patch: options.patch }).world;
  const result = { reads: 0, sites: 0, alarms: 0 };
  try {
    const access = await openVpp(options);
    let shadow: Shadow | null = null;
    for (let number = 0; number < options.readsMax; number++) {
      if (number > 0) await options.sleep(options.everySeconds);
      shadow = await read(access, shadow, options, sites).catch((error: unknown) => {
        if (!(error instanceof ConnectionError) || options.signal?.aborted === true) throw error;
        options.warn(error.message);
        return shadow;
      });
      if (shadow !== null) Object.assign(result, shadow.counts);
    }
  } catch (error) {
    if (options.signal?.aborted !== true) throw wordedError(error, options);
  }
  return result;
}

async function read(
  { vpp, pacer }: VppAccess,
  known: Shadow | null,
  options: ShadowOptions,
  sites: readonly SiteSpec[],
): Promise<Shadow> {
  const details = await pacer.request(vpp, () => vpp.statusDetails({ include_components: true }));
  const shadow = known ?? new Shadow(options, sites, details);
  shadow.advance(details);
  if (shadow.world.isScheduleReadDue) {
    const start_time_from = isoUtc(shadow.world.schedulesFromMs);
    shadow.world.takeSchedules(await pacer.request(vpp, () => vpp.schedules({ start_time_from })));
  }
  shadow.compare(details);
  return shadow;
}

/** Share of the rated power that a mean difference may reach: without a check; and at least, beside one. */
const LIMIT_SHARE = 0.05;
const CHECKED_SHARE_MIN = 0.01;
/** Times the mean absolute difference of a check. */
const CHECKED_FACTOR = 3;

/** A member and its site in the twin. */
interface ComparedMember {
  readonly member: MemberDetails;
  readonly site: Site;
  /** Before the twin learned what the read shows. */
  readonly wasInService: boolean;
}

/** The twin and what its reads have shown. */
class Shadow {
  readonly world: ShadowWorld;
  readonly counts = { reads: 0, sites: 0, alarms: 0 };
  private readonly options: ShadowOptions;
  private readonly drifts = new Map<Site, SiteDrift>();
  private readonly measuredMs = new Map<string, EpochMs>();
  private readonly storages: ReadonlyMap<string, SiteStorage>;

  /** @param sites  of the scenario with the patch */
  constructor(options: ShadowOptions, sites: readonly SiteSpec[], { members, timestamp }: VppDetails) {
    const { source, vppId, warn } = options;
    this.options = options;
    this.storages = siteStorages(source);
    const unknown = members.filter(({ ems_id }) => sites.every(({ emsId }) => emsId !== ems_id));
    if (unknown.length === members.length)
      throw inputRefusal(source.file, `no site of the ${members.length} members`, "a scenario of this VPP");
    for (const { ems_id, label } of unknown) warn(`the scenario has no site ${ems_id} (${label}); it is left out`);
    const patch = { ...options.patch, ...startOfCharge(sites, this.storages, members) };
    const scenario = buildScenario(source, { patch });
    this.world = new ShadowWorld(scenario.world, vppId, pvPlantsOf(source, patch), Date.parse(timestamp));
  }

  /** Runs the twin to the clock of the VPP. */
  advance(details: VppDetails): void {
    const atMs = Date.parse(details.timestamp);
    const { nowMs, endMs } = this.world;
    if (atMs < nowMs)
      throw new RunStopped(`the VPP's clock went back from ${isoUtc(nowMs)} to ${isoUtc(atMs)}; start again`);
    if (endMs <= atMs) throw new RunStopped("a shadow lasts 366 days of the VPP's clock at most; start again");
    this.world.advance(atMs);
    this.world.takeWeights(details);
  }

  /** Takes a read and writes its lines. */
  compare(details: VppDetails): void {
    const { world } = this;
    const members = details.members.flatMap((member): ComparedMember[] => {
      const site = world.siteOf(member.ems_id);
      return site === undefined ? [] : [{ member, site, wasInService: site.isInService }];
    });
    for (const { member, site } of members) world[member.status === 9 ? "beginFault" : "endFault"](site, "outage");
    world.hold(this.newlyMeasured(details.members));
    const lines = members.map((compared) => this.line(details.timestamp, compared));
    this.counts.reads++;
    this.counts.sites = lines.length;
    this.options.onLines(lines);
  }

  private newlyMeasured(members: readonly MemberDetails[]): readonly MemberDetails[] {
    return members.filter(({ ems_id, measure_timestamp }) => {
      const isNew = (this.measuredMs.get(ems_id) ?? 0) < Date.parse(measure_timestamp);
      this.measuredMs.set(ems_id, Date.parse(measure_timestamp));
      return isNew;
    });
  }

  private line(at: string, { site, member, wasInService }: ComparedMember): DriftLine {
    const atMs = Date.parse(at);
    const drift = this.driftOf(site);
    const before = drift.alarm;
    const { current_kw: currentKw, fcr_response_kw } = member.active_power;
    const twinKw = roundKw(site.kwAt(atMs));
    const hasStorage = this.storages.has(site.spec.name);
    const socPct = hasStorage ? socOf(member) : null;
    const twinSocPct = hasStorage ? roundedPct(site.resource.socPctAt(atMs)) : null;
    const alarm = drift.note({
      atMs,
      measuredMs: Date.parse(member.measure_timestamp),
      isOut: member.status === 9,
      isInServiceInTwin: wasInService,
      isInFcr: fcr_response_kw !== null,
      ...{ currentKw, twinKw, socPct, twinSocPct },
    });
    const line: DriftLine = {
      at,
      site: site.spec.name,
      current_kw: currentKw,
      twin_kw: twinKw,
      difference_kw: currentKw === null || alarm === "no_telemetry" ? null : roundKw(twinKw - currentKw),
      soc: socPct,
      twin_soc: twinSocPct,
      alarm,
    };
    this.announce(line, before, alarm);
    this.world[alarm === "no_telemetry" ? "beginFault" : "endFault"](site, "link_down");
    return line;
  }

  private announce(line: DriftLine, before: DriftAlarm | null, alarm: DriftAlarm | null): void {
    if (before === alarm) return;
    if (before !== null) this.options.onAlarm(line, { alarm: before, state: "ends" });
    if (alarm === null) return;
    this.counts.alarms++;
    this.options.onAlarm(line, { alarm, state: "begins" });
  }

  private driftOf(site: Site): SiteDrift {
    const known = this.drifts.get(site) ?? new SiteDrift(this.limitKw(site));
    this.drifts.set(site, known);
    return known;
  }

  private limitKw({ spec: { name, components } }: Site): number {
    const ratedKw = ratedKwOf(components);
    const checkedKw = this.options.checkedKwMae.get(name);
    return checkedKw === undefined
      ? LIMIT_SHARE * ratedKw
      : Math.max(CHECKED_FACTOR * checkedKw, CHECKED_SHARE_MIN * ratedKw);
  }
}

const roundedPct = (pct: number | null): number | null => (pct === null ? null : roundTo(pct, 1));

/** State of charge of a site with one storage; `null`: the read has none. */
const socOf = ({ resource_state, components = [] }: MemberDetails): number | null =>
  resource_state.soc ?? components.find((own) => own.resource_state.soc !== undefined)?.resource_state.soc ?? null;

/** The states of charge of a read, by study path. */
function startOfCharge(
  sites: readonly SiteSpec[],
  storages: ReadonlyMap<string, SiteStorage>,
  members: readonly MemberDetails[],
): Patch {
  const values: Record<string, number> = {};
  for (const member of members) {
    const site = sites.find(({ emsId }) => emsId === member.ems_id);
    const storage = storages.get(site?.name ?? "");
    const socPct = socOf(member);
    if (storage !== undefined && socPct !== null) values[storage.startPath] = socPct;
  }
  return values;
}
