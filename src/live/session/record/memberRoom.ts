import type { RunHistory } from "../../../accounting/history/runHistory.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";

/** How far a member can move from its present power, in kW, at least 0. */
interface MemberRoom {
  /** More import, or less export. */
  readonly upKw: number;
  /** More export, or less import. */
  readonly downKw: number;
}

/**
 * Headroom of a member now. A capability is that of a site advanced to the instant, and a read must not advance the site of the world:
 * the history has a second one (docs/model/sandbox.md#member-room).
 *
 * @param baselineKw  from which capabilities count
 */
export function memberRoom(site: Site, history: RunHistory, baselineKw: number, nowMs: EpochMs): MemberRoom {
  if (!site.isInService) return { upKw: 0, downKw: 0 };
  const present = history.presentSite(site.index, nowMs);
  present.advance(nowMs);
  const state = {
    spec: site.spec,
    outputLimitShare: site.outputLimitShare,
    advancedToMs: nowMs,
    reduction: site.reduction,
    isLoadReduced: site.isLoadReduced,
    baselineSlotKwAt: (atMs: EpochMs) => site.baselineSlotKwAt(atMs),
  };
  const { resource } = present;
  const deltaKw = site.dispatchedDeltaKw ?? 0;
  const upKw = resource.headroomKw(state, baselineKw, true, nowMs);
  const downKw =
    resource.load === null
      ? resource.headroomKw(state, baselineKw, false, nowMs)
      : resource.reductionAvailableKw(state, null, nowMs);
  return { upKw: Math.max(0, upKw - deltaKw), downKw: Math.max(0, downKw + deltaKw) };
}

/** When a load that rests between two reductions may be reduced again; `null`: it does not rest, or that is not known. */
export function restEndMs({ reduction, reductionOrder, resource }: Site): EpochMs | null {
  const endedMs = reduction.reducing ? (reductionOrder?.endMs ?? Number.NaN) : reduction.endedMs;
  const restMs = Math.max(0, ...resource.loads().map(({ spec }) => spec.minDrCooldownMs));
  return restMs > 0 && Number.isFinite(endedMs) ? endedMs + restMs : null;
}
