import { groupBy, sumOf } from "../../../base/lists.ts";
import { UPWARD_SKUS } from "../../../base/sku.ts";
import { type EpochMs, isoUtc, MS_PER_HOUR } from "../../../base/time.ts";
import { kindOf, kindOfKeys } from "../../../engine/site/components/registry.ts";
import { areMutuallyExclusive } from "../../../engine/site/orders/siteOrder.ts";
import type { SiteSpec } from "../../../engine/site/siteSpec.ts";
import type { ExpandedVpp } from "../build/expandEntries.ts";
import type { AwardConfig, InstructionConfig } from "../schema/awardSchema.ts";
import type { EventConfig } from "../schema/eventSchema.ts";
import { awardName, type CheckContext, instructionName } from "./checkContext.ts";
import { isShortStorage } from "./unitChecks.ts";

/**
 * Remarks on awards, instructions, events and maintenance outside the period of the scenario. An exported session may
 * have ended before the scenario that was served.
 */
export function checkPeriods(context: CheckContext): void {
  const { config, awards, instructions, events, sites } = context;
  const { start } = config;
  const end = config.session?.scenario_end ?? config.end;
  const late = (owner: object, key: string, atMs: EpochMs, name: () => string) => {
    if (atMs < end) return;
    context.remark("award-outside-run", [owner, key], () => {
      const period = `${isoUtc(start)} to ${isoUtc(end)}`;
      return `${name()} begins at ${isoUtc(atMs)}, after the run (${period}), and is never executed; write a time within it, or another start and end`;
    });
  };
  awards.forEach((award, k) => late(award, "start", award.start, () => awardName(award, k)));
  instructions.forEach((row, k) => late(row, "at", row.at, () => instructionName(row, k)));
  for (const event of events) late(event, "at", event.at, () => `event ${event.kind}`);
  for (const { config: keys, name } of sites)
    for (const period of keys.maintenance) late(period, "start", period.start, () => `maintenance of site ${name}`);
}

/** No VPP delivers this multiple of its rating. */
const POWER_FACTOR_MAX = 10;
/** From here on, a factor of 1000 between the units is likelier than another error. */
const UNIT_FACTOR_MIN = 100;
/** Below this share of the rating throughout, awards were probably meant in MW. */
const POWER_FACTOR_MIN = 1e-3;
/** The unit of the Japanese balancing market; no market trades less. */
const TRADED_MIN_KW = 1;
/** A tenth of the smallest lot of the Japanese spot market, 0.1 MW. */
const FLEET_MIN_KW = 10;

/** Power by which the sites of a VPP can change, in kW, by ratings alone: upward (more import) and downward. */
interface FleetRating {
  upKw: number;
  downKw: number;
  /** Of sites that respond to the grid frequency. */
  fcrKw: number;
}

function ratingOf({ components, capability }: SiteSpec): FleetRating {
  const rating = { upKw: 0, downKw: 0, fcrKw: 0 };
  for (const component of components) {
    const { operation } = kindOf(component);
    const load = operation.loadTerms(component);
    // A plant can also reduce its output, and a charger its demand; a load can only be reduced.
    const ratedKw = Math.max(operation.ratedImportKw(component), operation.ratedExportKw(component));
    if (load === null) rating.upKw += ratedKw;
    rating.downKw += load === null ? ratedKw : load.drCapable ? load.maxDrReductionKw : 0;
    if (capability.fcrCapable && component.fcrCapable) rating.fcrKw += ratedKw;
  }
  return rating;
}

/** By VPP; sites that become members during the run count. */
function fleetRatings({ vpps, events, world }: CheckContext): ReadonlyMap<string, FleetRating> {
  const siteIndexByName = new Map(world.sites.map(({ name }, k) => [name, k]));
  return new Map(
    vpps.map(({ config, members }) => {
      const added = events.flatMap((event) =>
        event.kind === "add_member" && event.vpp === config.name ? [siteIndexByName.get(event.site) ?? 0] : [],
      );
      const indexes = new Set([...members.map(({ siteIndex }) => siteIndex), ...added]);
      const sum = { upKw: 0, downKw: 0, fcrKw: 0 };
      for (const k of indexes) {
        const rating = ratingOf(world.sites[k]);
        sum.upKw += rating.upKw;
        sum.downKw += rating.downKw;
        sum.fcrKw += rating.fcrKw;
      }
      return [config.name, sum];
    }),
  );
}

/** An award or an instruction, with its name in messages. */
interface Command {
  readonly keys: Pick<AwardConfig | InstructionConfig, "vpp" | "delta_kw" | "fcr_response_kw">;
  readonly name: () => string;
}

/** The power of awards and instructions against the ratings of their VPP. */
export function checkAmounts(context: CheckContext): void {
  const { awards, instructions } = context;
  const ratings = fleetRatings(context);
  const commands = groupBy<string, Command>(
    [
      ...awards.map((keys, k) => ({ keys, name: () => awardName(keys, k) })),
      ...instructions.map((keys, k) => ({ keys, name: () => instructionName(keys, k) })),
    ],
    ({ keys }) => keys.vpp,
  );
  for (const { config } of context.vpps) {
    const rating = ratings.get(config.name);
    const fleetKw = Math.max(rating?.upKw ?? 0, rating?.downKw ?? 0);
    // A VPP without members refuses its awards, which the report shows.
    if (rating === undefined || fleetKw === 0) continue;
    if (fleetKw < FLEET_MIN_KW)
      context.remark(
        "fleet-rating",
        [config, "members"],
        () =>
          `VPP ${config.name} is rated at ${Number(fleetKw.toPrecision(6))} kW, a small part of the least lot of a market, 100 kW; if ratings and awards are in MW and MWh, write them in kW and kWh`,
      );
    const list = commands.get(config.name) ?? [];
    const most = list.reduce<Command | null>((a, b) => (a === null || largestKw(a) < largestKw(b) ? b : a), null);
    if (most !== null) checkLargestAmount(context, most, fleetKw);
    for (const command of list) checkDirections(context, command, rating);
  }
}

const largestKw = ({ keys: { delta_kw: deltaKw = 0, fcr_response_kw: fcrKw = 0 } }: Command): number =>
  Math.max(Math.abs(deltaKw), fcrKw);

/**
 * The largest amount of a VPP: a single small award is a remainder, but where nothing requests more, awards were probably
 * meant in MW; many times the rating are probably W.
 */
function checkLargestAmount(context: CheckContext, command: Command, fleetKw: number): void {
  const { keys, name } = command;
  const mostKw = largestKw(command);
  const key = Math.abs(keys.delta_kw ?? 0) === mostKw ? "delta_kw" : "fcr_response_kw";
  const kw = keys[key] ?? 0;
  const factor = mostKw / fleetKw;
  const requests = `${name()} requests ${kw} kW of VPP ${keys.vpp}`;
  if (0 < mostKw && mostKw < Math.max(TRADED_MIN_KW, POWER_FACTOR_MIN * fleetKw))
    context.remark(
      "award-power",
      [keys, key],
      () =>
        `${requests}, which is rated at ${fleetKw} kW, and nothing requests more; MW instead of kW? Write ${round(1000 * kw)}`,
    );
  if (factor < POWER_FACTOR_MAX) return;
  const advice = factor < UNIT_FACTOR_MIN ? "check both" : "is the award in W, or are the ratings in MW?";
  context.remark(
    "award-power",
    [keys, key],
    () => `${requests}, ${round(factor)} times its rating of ${fleetKw} kW; ${advice}`,
  );
}

const round = (value: number): number => Number(value.toPrecision(6));

function checkDirections(context: CheckContext, { keys, name }: Command, rating: FleetRating): void {
  const { delta_kw: deltaKw = 0, fcr_response_kw: fcrKw = 0, vpp } = keys;
  if ((deltaKw < 0 && rating.downKw === 0) || (deltaKw > 0 && rating.upKw === 0))
    context.remark("award-direction", [keys, "delta_kw"], () => {
      const what = deltaKw < 0 ? "more export or less load" : "more import";
      return `${name()} requests ${deltaKw} kW, ${what}, which no member of VPP ${vpp} can provide; export is negative, import positive`;
    });
  if (fcrKw > 0 && rating.fcrKw === 0)
    context.remark(
      "award-direction",
      [keys, "fcr_response_kw"],
      () => `${name()} requests ${fcrKw} kW of frequency response, but no member of VPP ${vpp} has fcr_capable: true`,
    );
}

/**
 * Maximum number of earlier registrations that are compared with a new award; more overlaps at one instant are rare.
 */
const COMPARED_MAX = 20;

interface PlacedAward {
  readonly keys: AwardConfig;
  readonly place: number;
}

/**
 * Awards that take time from an earlier registration and request less, or in the other direction, without a
 * `registered_at` that says that this is intended (docs/model/overlap.md#resolution).
 */
export function checkReplacedAwards(context: CheckContext): void {
  const byVpp = new Map<string, PlacedAward[]>();
  context.awards.forEach((keys, place) => {
    if (keys.delta_kw === undefined) return;
    const known = byVpp.get(keys.vpp);
    if (known === undefined) byVpp.set(keys.vpp, [{ keys, place }]);
    else known.push({ keys, place });
  });
  for (const awards of byVpp.values()) {
    awards.sort((a, b) => a.keys.start - b.keys.start || a.place - b.place);
    const running: PlacedAward[] = [];
    for (const award of awards) {
      dropEnded(running, award.keys.start);
      for (const other of running) comparePair(context, award, other);
      running.push(award);
    }
  }
}

/** Leaves the last awards that have not ended at an instant. */
function dropEnded(running: PlacedAward[], atMs: EpochMs): void {
  let count = 0;
  for (const award of running) if (atMs < award.keys.end) running[count++] = award;
  running.length = count;
  if (COMPARED_MAX < count) running.splice(0, count - COMPARED_MAX);
}

const registeredMs = ({ registered_at: at, start }: AwardConfig): EpochMs => at ?? start - 3_600_000;

function comparePair(context: CheckContext, a: PlacedAward, b: PlacedAward): void {
  if (!areMutuallyExclusive(a.keys.sku, b.keys.sku)) return;
  const isLater = registeredMs(a.keys) - registeredMs(b.keys) || a.place - b.place;
  const [later, earlier] = isLater > 0 ? [a, b] : [b, a];
  const laterKw = later.keys.delta_kw ?? 0;
  const earlierKw = earlier.keys.delta_kw ?? 0;
  const isLower = laterKw * earlierKw < 0 || Math.abs(laterKw) < Math.abs(earlierKw);
  if (!isLower || later.keys.registered_at !== undefined) return;
  context.remark("award-replaced", [later.keys, "start"], () => {
    const period = `${isoUtc(Math.max(a.keys.start, b.keys.start))} to ${isoUtc(Math.min(a.keys.end, b.keys.end))}`;
    return `${awardName(later.keys, later.place)} replaces ${awardName(earlier.keys, earlier.place)} from ${period}, and lowers the requested power from ${earlierKw} kW to ${laterKw} kW; amounts of one product are not added; write registered_at if this is intended, or one award with the sum`;
  });
}

/** A row of a list, by its place in it. */
type ListRow =
  | { readonly what: "award"; readonly keys: AwardConfig; readonly place: number }
  | { readonly what: "instruction"; readonly keys: InstructionConfig; readonly place: number }
  | { readonly what: "event"; readonly keys: EventConfig };

/** Rows that repeat an earlier one in everything but the id. Only rows of one instant are compared, as texts. */
export function checkDuplicates(context: CheckContext): void {
  const { awards, instructions, events } = context;
  const firstRows = new Map<EpochMs, ListRow>();
  const namesByText = new Map<EpochMs, Map<string, string>>();
  const check = (row: ListRow, key: string, atMs: EpochMs) => {
    const first = firstRows.get(atMs);
    if (first === undefined) {
      firstRows.set(atMs, row);
      return;
    }
    let names = namesByText.get(atMs);
    if (names === undefined) namesByText.set(atMs, (names = new Map([[textWithoutId(first), nameOf(first)]])));
    const text = textWithoutId(row);
    const earlier = names.get(text);
    if (earlier === undefined) names.set(text, nameOf(row));
    else
      context.remark(
        "duplicate-row",
        [row.keys, key],
        () => `${nameOf(row)} repeats ${earlier}: the same period, product and amounts; remove one of them`,
      );
  };
  awards.forEach((keys, place) => check({ what: "award", keys, place }, "start", keys.start));
  instructions.forEach((keys, place) => check({ what: "instruction", keys, place }, "at", keys.at));
  // A recorded session may repeat a request.
  for (const keys of events) if (keys.kind !== "request") check({ what: "event", keys }, "at", keys.at);
}

const textWithoutId = ({ what, keys }: ListRow): string =>
  `${what} ${JSON.stringify(what === "event" ? keys : { ...keys, award_id: undefined })}`;

function nameOf(row: ListRow): string {
  if (row.what === "award") return awardName(row.keys, row.place);
  if (row.what === "instruction") return instructionName(row.keys, row.place);
  return `event ${row.keys.kind} at ${isoUtc(row.keys.at)}`;
}

const UPWARD: ReadonlySet<string | null> = new Set(UPWARD_SKUS);
/** Reserve is called for a small part of its time; more hours of full calls than this are unlikely. */
const CALLED_MAX_H = 48;
/** Awards that discharge this multiple of what is stored need energy from somewhere. */
const DISCHARGE_FACTOR_MAX = 5;
/** Storage that holds the largest award for less than this was probably meant in MWh. */
const HELD_MIN_H = 0.01;
/** Larger ones were not: beside them the awards are off. */
const SMALL_MAX_KWH = 200;

/** Remarks on the awards of each VPP taken together: their sign, what of them is called, and the energy for it. */
export function checkReserve(context: CheckContext): void {
  const { startMs, endMs } = context.world;
  const executed = context.awards.filter(({ start }) => startMs <= start && start < endMs);
  const byVpp = groupBy(executed, ({ vpp }) => vpp);
  for (const vpp of context.vpps) {
    const awards = byVpp.get(vpp.config.name) ?? [];
    const reserve = awards.filter(({ sku, delta_kw: kw = 0 }) => (UPWARD.has(sku) || sku === "compound") && kw !== 0);
    checkSign(
      context,
      vpp,
      reserve.filter(({ sku }) => UPWARD.has(sku)),
    );
    checkActivation(context, vpp, reserve);
    const storages = storagesOf(context, vpp);
    checkSmallStorages(context, vpp, awards, storages);
    if (storages.length > 0 && !mayRecharge(context, vpp, storages)) checkEnergy(context, vpp, awards, storages);
  }
}

function checkSign({ remark }: CheckContext, { config }: ExpandedVpp, upward: readonly AwardConfig[]): void {
  if (upward.length === 0 || upward.some(({ delta_kw: kw = 0 }) => kw < 0)) return;
  remark("award-sign", [upward[0], "delta_kw"], () => {
    const skus = [...new Set(upward.map(({ sku }) => sku))].join(", ");
    return `the awards of ${skus} of VPP ${config.name} have a delta_kw above 0 throughout (${upward.length}), which is more import; upward reserve is more export or less import, below 0: turn the sign (vppsim import awards --negate delta_kw), unless downward reserve was sold`;
  });
}

function checkActivation(context: CheckContext, { config }: ExpandedVpp, reserve: readonly AwardConfig[]): void {
  // Calls in both directions are what a fleet was operated by, not capacity.
  if (new Set(reserve.map(({ delta_kw: kw = 0 }) => Math.sign(kw))).size !== 1) return;
  const full = reserve.filter((award) => award.activation === 1 && !context.isWritten(award, "activation"));
  const hours = sumOf(full, ({ start, end }) => end - start) / MS_PER_HOUR;
  if (hours <= CALLED_MAX_H) return;
  context.remark(
    "award-activation",
    [full[0], "start"],
    () =>
      `${full.length} awards of reserve of VPP ${config.name}, ${hours} h in all, have no activation and are called in full throughout; write the share that is called (0 for capacity alone, or a series)`,
  );
}

/** A storage of a member of a VPP, with the keys that it was written with. */
function storagesOf({ sites, world }: CheckContext, { members }: ExpandedVpp) {
  return members.flatMap(({ siteIndex }) =>
    sites[siteIndex].config.components.flatMap((owner) => {
      const keys = kindOfKeys(owner)?.scenario.storageKeys?.(owner) ?? null;
      return keys === null ? [] : [{ site: world.sites[siteIndex], owner, keys }];
    }),
  );
}

type Storage = ReturnType<typeof storagesOf>[number];

function checkSmallStorages(
  { remark }: CheckContext,
  { config }: ExpandedVpp,
  awards: readonly AwardConfig[],
  storages: readonly Storage[],
): void {
  const mostKw = awards.reduce((kw, { delta_kw = 0 }) => Math.max(kw, Math.abs(delta_kw)), 0);
  const leastKwh = Math.min(SMALL_MAX_KWH, HELD_MIN_H * mostKw);
  const small = storages.filter(({ keys }) => keys.capacityKwh < leastKwh && !isShortStorage(keys));
  // Many small storages hold an award together.
  if (leastKwh <= sumOf(small, ({ keys }) => keys.capacityKwh)) return;
  for (const { site, owner, keys } of small)
    remark("small-storage", [owner, keys.key], () => {
      const found = `site ${site.name}, component ${owner.component_id}: ${keys.key} ${keys.capacityKwh} kWh`;
      return `${found} beside awards of VPP ${config.name} of up to ${mostKw} kW; MWh instead of kWh? Write ${1000 * keys.capacityKwh}`;
    });
}

/** Whether something may charge the storages of a VPP: what it is ordered to do, or a site by itself. */
function mayRecharge(context: CheckContext, { config }: ExpandedVpp, storages: readonly Storage[]): boolean {
  const charges = ({ vpp, delta_kw = 0, fcr_response_kw = 0 }: AwardConfig | InstructionConfig) =>
    vpp === config.name && (delta_kw > 0 || fcr_response_kw > 0);
  return (
    storages.some(({ site }) => site.control === "track" || site.baseline.method !== "zero") ||
    context.events.some(({ kind }) => kind === "request" || kind === "direct_schedule") ||
    context.instructions.some(charges) ||
    context.awards.some(charges)
  );
}

function checkEnergy(
  { remark, world }: CheckContext,
  { config, members }: ExpandedVpp,
  awards: readonly AwardConfig[],
  storages: readonly Storage[],
): void {
  const ratedExportKw = ({ components }: SiteSpec) =>
    sumOf(components, (spec) => kindOf(spec).operation.ratedExportKw(spec));
  const fleetKw = sumOf(members, ({ siteIndex }) => ratedExportKw(world.sites[siteIndex]));
  const share = Math.min(1, sumOf(storages, ({ keys }) => keys.ratedKw) / fleetKw);
  const calledKwh = sumOf(awards, ({ delta_kw = 0, activation, start, end }) =>
    typeof activation === "number" ? (-delta_kw * activation * (end - start)) / MS_PER_HOUR : 0,
  );
  const storedKwh = sumOf(storages, ({ keys }) => (keys.capacityKwh * Math.max(0, keys.start.pct - keys.minPct)) / 100);
  if (share * calledKwh <= DISCHARGE_FACTOR_MAX * storedKwh) return;
  remark("never-recharged", [config, "members"], () => {
    const energies = `${Math.round(share * calledKwh)} kWh from the storage of VPP ${config.name}, which holds ${Math.round(storedKwh)} kWh at the start`;
    return `awards call ${energies}, and nothing charges it again: no award, instruction or baseline is above 0`;
  });
}
