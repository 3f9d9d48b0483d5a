import type { RunHistory } from "../../../../accounting/history/runHistory.ts";
import { sumOf } from "../../../../base/lists.ts";
import { roundKw, roundTo } from "../../../../base/rounding.ts";
import { type EpochMs, MS_PER_SECOND } from "../../../../base/time.ts";
import type { Site } from "../../../../engine/site/site.ts";
import type { Vpp } from "../../../../engine/vpp/vpp.ts";
import type { HostedWorld } from "../../../../live/session/hostedWorld.ts";
import { memberRoom, restEndMs } from "../../../../live/session/record/memberRoom.ts";
import type { SessionRecord, SiteDispatch } from "../../../../live/session/record/sessionRecord.ts";
import { setpointRefusalView } from "../../../../live/session/record/setpointRefusal.ts";
import { minutesToEnd, type ShownStore, storeOf, storesOf } from "../../../../live/session/record/storageOutlook.ts";
import type { LastDispatch, MemberView, VppMembersView } from "../../../../live/session/sandboxReads.ts";
import type { AwardNames } from "../../../../report/awardNames.ts";
import { fromTenths } from "../../../endpoints/shared/reading/siteReading.ts";
import { wireTime, wireTimeOrNull } from "../../../endpoints/shared/wireTime.ts";
import { type MemberView as ApiMember, viewMembers } from "../../../endpoints/vppV1/memberView.ts";

/** `GET /sandbox/vpps/{name}/members` */
export function vppMembers({ world, context }: HostedWorld, record: SessionRecord, vpp: Vpp): VppMembersView {
  const { nowMs, sites } = world;
  record.notices.noticeThrough(nowMs);
  const members = viewMembers(vpp, sites, context.history, nowMs);
  return {
    at: wireTime(nowMs),
    vpp: vpp.spec.name,
    members: members.map((view) => ({
      ...memberView(view, record, vpp.index, nowMs),
      ...roomFields(view, context.history, nowMs),
    })),
  };
}

type RoomFields = Pick<
  MemberView,
  "energy_kwh" | "energy_to_full_kwh" | "headroom_up_kw" | "headroom_down_kw" | "available_from"
>;

/** What it has left; `null` while no values arrive. */
function roomFields(
  { site, reading, measuredAtMs }: ApiMember,
  history: RunHistory | undefined,
  nowMs: EpochMs,
): RoomFields {
  const restMs = restEndMs(site);
  const availableFrom = restMs === null || restMs <= nowMs ? null : wireTime(restMs);
  if (measuredAtMs < nowMs - MS_PER_SECOND && site.isInService)
    return { ...UNKNOWN_ROOM, available_from: availableFrom };
  const stores = storesOf(site, nowMs);
  const energyKwh = (kwhOf: (store: ShownStore) => number): number | null =>
    stores.length === 0
      ? null
      : roundTo(
          sumOf(stores, (store) => Math.max(0, kwhOf(store))),
          3,
        );
  const room = history === undefined ? null : memberRoom(site, history, reading.baselineTenths / 10, nowMs);
  return {
    energy_kwh: energyKwh(({ storage, storedKwh }) => storedKwh - storage.emptyKwh),
    energy_to_full_kwh: energyKwh(({ storage, storedKwh }) => storage.fullKwh - storedKwh),
    headroom_up_kw: room === null ? null : roundKw(room.upKw),
    headroom_down_kw: room === null ? null : roundKw(room.downKw),
    available_from: availableFrom,
  };
}

const UNKNOWN_ROOM = { energy_kwh: null, energy_to_full_kwh: null, headroom_up_kw: null, headroom_down_kw: null };

function memberView(
  view: ApiMember,
  record: SessionRecord,
  vpp: number,
  nowMs: EpochMs,
): Omit<MemberView, keyof RoomFields> {
  const { site, member, reading, measuredAtMs } = view;
  const { name } = site.spec;
  const service = record.notices.stateOf(name, "service");
  const isStale = measuredAtMs < nowMs - MS_PER_SECOND;
  const isDispatched = !Number.isNaN(reading.dispatchedTenths);
  return {
    site: name,
    resource_id: site.spec.emsId,
    class: member.resourceType,
    status: service === null ? "in_service" : "out_of_service",
    status_since: wireTimeOrNull(service?.noticedMs ?? null),
    is_reachable: record.notices.stateOf(name, "no_data") === null,
    power_kw: fromTenths(reading.currentTenths),
    baseline_kw: fromTenths(reading.baselineTenths),
    set_point_kw: isDispatched ? (reading.baselineTenths + reading.dispatchedTenths) / 10 : null,
    delivered_kw: isDispatched ? fromTenths(reading.deltaTenths) : null,
    ...storageFields(site, isStale ? null : nowMs, fromTenths(reading.socTenths)),
    weight: member.allocationWeight,
    last_dispatch: lastDispatch(record.lastDispatch(vpp, site.index), record.names),
    data_at: wireTime(measuredAtMs),
  };
}

type StorageFields = Pick<
  MemberView,
  "soc_pct" | "soc_min_pct" | "soc_max_pct" | "minutes_to_empty" | "minutes_to_full"
>;

const NO_STORAGE: StorageFields = {
  soc_pct: null,
  soc_min_pct: null,
  soc_max_pct: null,
  minutes_to_empty: null,
  minutes_to_full: null,
};

/**
 * State of charge of a site with one storage.
 *
 * @param nowMs  `null`: no values arrive, and only the state of charge last received is known
 */
function storageFields(site: Site, nowMs: EpochMs | null, lastSocPct: number | null): StorageFields {
  const store = storeOf(site, nowMs ?? site.advancedToMs);
  if (store === null) return NO_STORAGE;
  if (nowMs === null) return { ...NO_STORAGE, soc_pct: lastSocPct };
  const { storage, storedKwh, socPct } = store;
  const pctPerKwh = socPct === null || storedKwh <= 0 ? null : socPct / storedKwh;
  const pct = (kwh: number): number | null => (pctPerKwh === null ? null : roundTo(kwh * pctPerKwh, 1));
  return {
    soc_pct: socPct === null ? null : roundTo(socPct, 1),
    soc_min_pct: pct(storage.emptyKwh),
    soc_max_pct: pct(storage.fullKwh),
    minutes_to_empty: minutesToEnd(store, "empty", nowMs),
    minutes_to_full: minutesToEnd(store, "full", nowMs),
  };
}

function lastDispatch(last: SiteDispatch | null, names: AwardNames): LastDispatch | null {
  if (last === null) return null;
  const { awardId, atMs, kw, refusal } = last;
  return {
    award_id: awardId,
    name: names.nameOf(awardId),
    at: wireTime(atMs),
    kw,
    refusal: setpointRefusalView(refusal),
  };
}
