import { groupBy } from "../../../base/groupBy.ts";
import { UPWARD_SKUS } from "../../../base/sku.ts";
import { sumOf } from "../../../base/sums.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import { kindOf, kindOfKeys } from "../../../engine/site/components/registry.ts";
import type { SiteSpec } from "../../../engine/site/siteSpec.ts";
import type { ExpandedVpp } from "../build/expandMembers.ts";
import type { AwardConfig, InstructionConfig } from "../schema/awardSchema.ts";
import type { CheckContext } from "./checkContext.ts";
import { isShortStorage } from "./unitChecks.ts";

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
