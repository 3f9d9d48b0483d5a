import { sumOf } from "../../../base/lists.ts";
import { roundKw } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import { isFcrCapable } from "../../../engine/vpp/allocation/eligibility.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import { type ResourceType, resourceTypeOf } from "../../../engine/vpp/vppSpec.ts";
import type { ApiName, RequestContext } from "../../endpoints/route.ts";
import { siteAvailability } from "../../endpoints/shared/reading/availability.ts";
import { listSiteSchedules } from "../../endpoints/shared/reading/listSiteSchedules.ts";
import { figuresOf } from "../../endpoints/shared/reading/resourceFigures.ts";
import { widestWindow } from "../../endpoints/shared/siteSchedules.ts";
import { floorToSecond } from "../../endpoints/shared/wireTime.ts";
import type { JsonObject } from "./descriptionParts.ts";

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

/** Sample values by property name, where a generated value would be misleading. */
const SAMPLES_BY_NAME: Readonly<Record<string, unknown>> = {
  delta_kw: -500,
  baseline_kw: 0,
  allocation_weight: 100,
  duration_minutes: 30,
  interval_seconds: 1800,
  start_time: "2026-04-01T01:00:00Z",
  end_time: "2026-04-01T02:00:00Z",
  start_time_from: "2026-04-01T00:00:00Z",
  start_time_to: "2026-04-02T00:00:00Z",
  label: "north-01",
  request_id: "r-1",
};

/**
 * A fixed value that satisfies a schema.
 *
 * Uses the first branch of a union and all optional properties, except those that other rules exclude.
 */
export function sampleValue(schema: JsonObject, name = ""): unknown {
  const { type, properties, items, anyOf, allOf } = schema as {
    readonly type?: string;
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly items?: JsonObject;
    readonly anyOf?: readonly JsonObject[];
    readonly allOf?: readonly JsonObject[];
  };
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (anyOf !== undefined) return sampleValue(anyOf[0], name);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((branch) => sampleValue(branch, name)));
  if (type === "object" || properties !== undefined)
    return Object.fromEntries(Object.entries(properties ?? {}).map(([key, inner]) => [key, sampleValue(inner, key)]));
  if (type === "array") {
    const length = Math.max(1, (schema.minItems as number | undefined) ?? 1);
    return items === undefined ? [] : new Array<unknown>(length).fill(sampleValue(items, name));
  }
  const sample = SAMPLES_BY_NAME[name];
  if (sample !== undefined && fits(schema, sample)) return sample;
  if (type === "string") return textSample(schema);
  if (type === "integer" || type === "number") return (schema.minimum as number | undefined) ?? 0;
  return type === "boolean" ? false : null;
}

function fits({ type, minimum, maximum }: JsonObject, value: unknown): boolean {
  if (typeof value === "string") return type === "string";
  if (type !== "number" && type !== "integer") return false;
  const number = value as number;
  return ((minimum as number | undefined) ?? number) <= number && number <= ((maximum as number | undefined) ?? number);
}

function textSample({ format, pattern }: JsonObject): string {
  if (format === "date-time") return "2026-04-01T00:00:00Z";
  return typeof pattern === "string" && pattern.includes("[0-9a-f]") ? "0123456789abcdef0123456789abcdef" : "text";
}
