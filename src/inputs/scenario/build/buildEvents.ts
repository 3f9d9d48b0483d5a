import { formatNameList, formatValue } from "../../../base/inputError.ts";
import { type EpochMs, isoUtc } from "../../../base/time.ts";
import { canHaveFault, sitesForFault } from "../../../engine/simulation/faultSites.ts";
import type { ScenarioEvent } from "../../../engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../../engine/site/siteSpec.ts";
import { allowedName } from "../parse/nearestName.ts";
import type { EventConfig } from "../schema/eventSchema.ts";
import { checkOffset, type FaultKeys, type FaultKind } from "../schema/faultSchema.ts";
import { type CommandContext, type CommandList, vppOf } from "./buildAwards.ts";
import type { BuildContext } from "./buildContext.ts";
import { faultEventOf, faultValues } from "./faultEvent.ts";

interface EventContext extends CommandContext {
  readonly siteIndexByName: ReadonlyMap<string, number>;
  /** 32 hex digits by name. */
  readonly vppIdByName: ReadonlyMap<string, string>;
  readonly emsIdByName: ReadonlyMap<string, string>;
  readonly sites: readonly SiteSpec[];
}

/**
 * Events in file order.
 *
 * Outages and maintenance that began before the run and last into it start with the run. Any other event before the
 * scenario's start is an error, and one between that start and a later `--from` is dropped
 * (docs/model/time.md#from-to).
 */
export function buildEvents(
  buildContext: BuildContext,
  rows: readonly EventConfig[],
  context: EventContext,
): CommandList<ScenarioEvent> {
  const { checker, startMs } = buildContext;
  const items: ScenarioEvent[] = [];
  let droppedCount = 0;
  for (const keys of rows) {
    const event = buildEvent(buildContext, keys, context);
    if (keys.at < startMs && isUnderWay(event, startMs)) items.push({ ...event, atMs: startMs });
    else if (keys.at < context.scenarioStartMs) {
      checker.reportError(
        keys,
        "at",
        isoUtc(keys.at),
        `an instant at or after the scenario's start, ${isoUtc(context.scenarioStartMs)}`,
      );
    } else if (keys.at < startMs) droppedCount++;
    else items.push(event);
  }
  return { items, droppedCount };
}

const isUnderWay = (event: ScenarioEvent, startMs: EpochMs): boolean =>
  (event.kind === "outage" || event.kind === "maintenance") && startMs < event.untilMs;

function buildEvent(buildContext: BuildContext, keys: EventConfig, context: EventContext): ScenarioEvent {
  if (keys.kind === "request") return buildRequest(buildContext, keys, context);
  if (keys.kind === "fault_end")
    return { kind: keys.kind, atMs: keys.at, settled: keys.order === "settled", faultId: keys.fault_id };
  const site = siteOf(buildContext, keys, context);
  if (keys.kind === "direct_schedule") {
    if (keys.end <= keys.start) {
      buildContext.checker.reportError(
        keys,
        "end",
        isoUtc(keys.end),
        `an instant after its start, ${isoUtc(keys.start)}`,
      );
    }
    return {
      kind: keys.kind,
      atMs: keys.at,
      settled: keys.order === "settled",
      site,
      startMs: keys.start,
      endMs: keys.end,
      deltaKw: keys.delta_kw,
    };
  }
  const base = { atMs: keys.at, settled: keys.order === "settled", site };
  switch (keys.kind) {
    case "set_weight":
      return {
        ...base,
        kind: keys.kind,
        vpp: vppOf(buildContext, keys, context),
        allocationWeight: keys.allocation_weight,
      };
    case "add_member":
      return {
        ...base,
        kind: keys.kind,
        vpp: vppOf(buildContext, keys, context),
        resourceType: keys.resource_type,
        allocationWeight: keys.allocation_weight,
        label: keys.label,
      };
    case "remove_member":
      return { ...base, kind: keys.kind, vpp: vppOf(buildContext, keys, context) };
    default:
      checkFaultSite(buildContext, keys, context);
      checkOffset(buildContext.checker, keys);
      return faultEventOf({ ...base, untilMs: untilOf(keys) }, faultValues(keys));
  }
}

/** API calls are always settled: they run after all other events of their instant (docs/model/time.md#settled). */
function buildRequest(
  { checker }: BuildContext,
  keys: Extract<EventConfig, { kind: "request" }>,
  { vppIdByName, emsIdByName }: EventContext,
): ScenarioEvent {
  const ids = keys.api === "vpp-v1" ? vppIdByName : emsIdByName;
  const isKnownId = [...ids.values()].includes(keys.id);
  if (keys.id !== undefined && !isKnownId && !ids.has(keys.id)) {
    const owner = keys.api === "vpp-v1" ? "a VPP" : "a site";
    checker.reportError(
      keys,
      "id",
      formatValue(keys.id),
      `the name or id of ${owner} (${formatNameList(ids.keys(), 12)})`,
    );
  }
  const [path, query = ""] = (keys.path ?? "").split("?", 2);
  return {
    kind: keys.kind,
    atMs: keys.at,
    settled: true,
    api: keys.api,
    id: ids.get(keys.id) ?? keys.id,
    method: keys.method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    body: keys.body,
  };
}

const untilOf = ({ at, duration }: { at: EpochMs; duration?: number }): EpochMs =>
  duration === undefined ? Number.POSITIVE_INFINITY : at + duration;

/** Refuses a fault that the site cannot have; an unknown site is reported elsewhere. */
function checkFaultSite(
  { checker }: BuildContext,
  keys: FaultKeys & { readonly kind: FaultKind; readonly site: string },
  { siteIndexByName, sites }: EventContext,
): void {
  const site = sites[siteIndexByName.get(keys.site) ?? -1];
  if (site === undefined || canHaveFault(keys, site)) return;
  const { what, names } = sitesForFault(keys, sites);
  checker.reportError(keys, "site", formatValue(keys.site), allowedName(what, keys.site, names));
}

function siteOf({ checker }: BuildContext, keys: { site: string }, { siteIndexByName }: EventContext): number {
  const site = siteIndexByName.get(keys.site);
  if (site === undefined && keys.site !== undefined) {
    checker.reportError(
      keys,
      "site",
      formatValue(keys.site),
      `a site's name (${formatNameList(siteIndexByName.keys(), 12)})`,
    );
  }
  return site ?? -1;
}
