import { roundKw } from "../../../base/rounding.ts";
import { sumOf } from "../../../base/sums.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import { isFcrCapable } from "../../../engine/vpp/allocation/eligibility.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import { type ResourceType, resourceTypeOf } from "../../../engine/vpp/vppSpec.ts";
import type { ApiName, RequestContext } from "../../endpoints/route.ts";
import { siteAvailability } from "../../endpoints/shared/reading/availability.ts";
import { listSiteSchedules } from "../../endpoints/shared/reading/listSiteSchedules.ts";
import { figuresOf } from "../../endpoints/shared/reading/resourceFigures.ts";
import { widestWindow } from "../../endpoints/shared/scheduleWindow.ts";
import { floorToSecond } from "../../endpoints/shared/wireTime.ts";

/** Values for the examples of requests, of one VPP and one site. All kW are rounded. */
export interface ExampleValues {
  readonly nowMs: EpochMs;
  /** Start of the scenario: there is no data before it. */
  readonly startMs: EpochMs;
  readonly ids: Readonly<Record<ApiName, string>>;
  /** The member in paths. */
  readonly memberId: string;
  /** A site to register: one without a VPP if there is any. */
  readonly newMember: { readonly ems_id: string; readonly resource_type: ResourceType };
  readonly memberBaselines: readonly { readonly ems_id: string; readonly baseline_kw: number }[];
  readonly vppDeltaKw: number;
  /** `null`: no member in service can hold frequency response. */
  readonly vppFcrKw: number | null;
  readonly siteDeltaKw: number;
  /** `null`: the site has no frequency response. */
  readonly siteFcrKw: number | null;
  /** The first schedule that can be deleted, if there is one. */
  readonly scheduleIds: Readonly<Record<ApiName, string | null>>;
}

const FIXED_ID = "0123456789abcdef0123456789abcdef";
const FIXED_MS = Date.UTC(2026, 3, 1, 1);

/** Values of no scenario, for callers who may not know ids (docs/model/apis.md#description-examples). */
export const FIXED_EXAMPLES: ExampleValues = {
  nowMs: FIXED_MS,
  startMs: FIXED_MS,
  ids: { "vpp-v1": FIXED_ID, "site-v2": FIXED_ID, "site-v1": FIXED_ID },
  memberId: FIXED_ID,
  newMember: { ems_id: FIXED_ID, resource_type: "battery" },
  memberBaselines: [{ ems_id: FIXED_ID, baseline_kw: 0 }],
  vppDeltaKw: -50,
  vppFcrKw: 50,
  siteDeltaKw: -50,
  siteFcrKw: 50,
  scheduleIds: { "vpp-v1": FIXED_ID, "site-v2": FIXED_ID, "site-v1": FIXED_ID },
};

/** Values that the running scenario accepts now. */
export function currentExamples(context: RequestContext): ExampleValues {
  const { world } = context;
  const nowMs = floorToSecond(world.nowMs);
  const [vpp] = world.vpps;
  const site = world.sites.find((each) => figuresOf(each).hasSoc) ?? world.sites[0];
  const { emsId } = site.spec;
  const members = vpp?.members.map((member) => world.sites[member.site]) ?? [];
  const unassignedSite = world.sites.find(({ index }) =>
    world.vpps.every((each) => each.findMember(index) === undefined),
  );
  const newSite = unassignedSite ?? members.at(-1) ?? site;
  const serving = members.filter(({ isInService }) => isInService);
  return {
    nowMs,
    startMs: world.spec.startMs,
    ids: { "vpp-v1": vpp?.spec.vppId ?? FIXED_ID, "site-v2": emsId, "site-v1": emsId },
    memberId: members.at(-1)?.spec.emsId ?? emsId,
    newMember: { ems_id: newSite.spec.emsId, resource_type: resourceTypeOf(newSite.spec.components) },
    memberBaselines: members.map((member) => ({
      ems_id: member.spec.emsId,
      baseline_kw: roundKw(member.reportedBaselineKw(world.nowMs)),
    })),
    vppDeltaKw: -tenthOf(sumOf(serving, (member) => exportKw(member, world.nowMs))),
    vppFcrKw: serving.some(isFcrCapable) ? EXAMPLE_FCR_KW : null,
    siteDeltaKw: -tenthOf(exportKw(site, world.nowMs)),
    siteFcrKw: isFcrCapable(site) && site.spec.capability.marketable.includes("fcr") ? EXAMPLE_FCR_KW : null,
    scheduleIds: deletableSchedules(context, vpp, site),
  };
}

const EXAMPLE_FCR_KW = 10;

const exportKw = (site: Site, nowMs: EpochMs): number => siteAvailability(site, nowMs).exportTenths / 10;

/** A tenth, in whole kW where that is more than none. */
const tenthOf = (kw: number): number => (kw < 10 ? roundKw(kw / 10) : Math.floor(kw / 10));

function deletableSchedules(
  { world, history }: RequestContext,
  vpp: Vpp | undefined,
  site: Site,
): ExampleValues["scheduleIds"] {
  if (history === undefined) return { "vpp-v1": null, "site-v2": null, "site-v1": null };
  const isDeletable = ({ startMs }: { readonly startMs: EpochMs }) => world.nowMs + MS_PER_MINUTE <= startMs;
  const ofVpp =
    vpp === undefined ? undefined : history.schedules(vpp.index, widestWindow(world.nowMs)).find(isDeletable);
  const ofSite = listSiteSchedules(world, history, site, widestWindow(world.nowMs)).find(isDeletable);
  const siteSchedule = ofSite?.scheduleId ?? null;
  return { "vpp-v1": ofVpp?.instruction.scheduleId ?? null, "site-v2": siteSchedule, "site-v1": siteSchedule };
}
