import type { ApiRequest } from "../../src/api/endpoints/route.ts";
import { isoUtc, MS_PER_MINUTE } from "../../src/base/time.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { alarmId } from "../../src/live/session/alarms/alarm.ts";
import type { FaultSpec } from "../../src/live/session/fault.ts";
import type { Session } from "../../src/live/session/session.ts";

/** An action on a session. */
export type SessionAction = (session: Session) => Promise<unknown>;

/** Random actions: advances by odd lengths, faults begun and ended, alarms acted on, valid and invalid calls of all three APIs. */
export function randomActions(seed: number, count: number): SessionAction[] {
  const random = new RandomStreams(seed).getStream("deeds", "session");
  const below = (limit: number) => Math.floor(limit * random.nextUniform());
  const pick = <T>(items: readonly T[]): T => items[below(items.length)];
  const faults: readonly Omit<FaultSpec, "durationMs">[] = [
    { kind: "outage", site: "battery-1" },
    { kind: "outage", site: "plant" },
    { kind: "maintenance", site: "battery-2" },
    { kind: "warning", site: "battery-1" },
    { kind: "link_down", site: "battery-2" },
    { kind: "output_control", site: "battery-1", limitPct: 30, reason: "manual" },
    { kind: "derate", site: "battery-1", limitPct: 20, rampInMs: 90_000, rampOutMs: 700_000 },
    { kind: "derate", site: "battery-2", limitPct: 55.5 },
    { kind: "sensor_offset", site: "battery-2", sensor: "soc", offset: -30 },
    { kind: "sensor_stuck", site: "battery-1", sensor: "power" },
  ];
  const advances = [1, 997, 12_345, MS_PER_MINUTE, 5 * MS_PER_MINUTE, 17 * MS_PER_MINUTE];
  const action = (): SessionAction => {
    const kind = below(13);
    const advanceMs = pick(advances);
    const fault = { ...pick(faults), durationMs: pick([null, 30_000, 7 * MS_PER_MINUTE]) };
    const nth = below(3);
    const call = below(8);
    const kw = pick([-250, -120.05, -33.3, 40, 180, 999]);
    const delayMs = pick([1, 2, 10, 30]) * MS_PER_MINUTE;
    if (kind < 4)
      return (session) => session.advance((nowMs) => Math.min(nowMs + advanceMs, session.scenario.world.endMs));
    if (kind < 5) return (session) => session.beginFault(fault);
    if (kind < 6)
      return async (session) => {
        const open = session.faults.at(nth);
        if (open !== undefined) await session.endFault(open.fault_id);
      };
    if (kind > 9) return (session) => actOnAlarm(session, pick(["acknowledge", "shelve", "unshelve"]), nth, delayMs);
    return async (session) =>
      session.answer(randomCall(session, call, kw, delayMs), {
        key: `key-${seed}-${below(1e6)}`,
        hasAnswer: () => false,
        storeAnswer: () => {},
      });
  };
  return Array.from({ length: count }, action);
}

/** Acts on one alarm of the list, if it has any that can be. */
async function actOnAlarm(session: Session, act: string, nth: number, forMs: number): Promise<void> {
  const { list } = session.hosted.alarmBoard;
  if (list.length === 0) return;
  const alarm = list[nth % list.length];
  const [id, person] = [alarmId(alarm), { by: "trainee", name: nth === 0 ? null : "佐藤" } as const];
  if (act === "acknowledge") await session.alarms.acknowledge(id, person);
  else if (act === "unshelve" && alarm.shelvedUntilMs !== null) await session.alarms.unshelve(id, person);
  else if (alarm.clearedMs === null)
    await session.alarms.shelve(id, (nowMs) => 1000 * Math.floor((nowMs + forMs) / 1000), person);
}

function randomCall(session: Session, which: number, kw: number, delayMs: number): ApiRequest {
  const { sites, vpps } = session.scenario.world;
  const { nowMs } = session;
  const baselines = sites.map(({ emsId }) => ({ ems_id: emsId, baseline_kw: emsId === sites[2].emsId ? 300 : 0 }));
  const vpp = (method: "POST" | "DELETE", path: string, body: unknown, query = {}): ApiRequest => ({
    api: "vpp-v1",
    id: vpps[0].vppId,
    method,
    path,
    query,
    body,
  });
  const site = (method: "POST", path: string, body: unknown): ApiRequest => ({
    api: "site-v2",
    id: sites[0].emsId,
    method,
    path,
    query: {},
    body,
  });
  const control = "/control/active_power";
  const startMs = Math.ceil(nowMs / MS_PER_MINUTE) * MS_PER_MINUTE + delayMs;
  const times = { start_time: isoUtc(startMs), end_time: isoUtc(startMs + 20 * MS_PER_MINUTE) };
  switch (which) {
    case 0:
    case 1:
      return vpp("POST", control, { type: "schedule", sku: "rr", delta_kw: kw, ...times, member_baselines: baselines });
    case 2:
      return vpp("POST", control, {
        type: "immediate",
        sku: null,
        delta_kw: kw,
        duration_minutes: 15,
        member_baselines: baselines,
      });
    case 3:
      return vpp("POST", control, { type: "immediate", delta_kw: "much" });
    case 4:
      return vpp("POST", `/members/${sites[1].emsId}`, {
        allocation_weight: Math.abs(kw),
        label: '日本 "x": #1 \u2028',
      });
    case 5:
      return vpp("DELETE", `${control}/schedules`, undefined, { schedule_id: "0".repeat(32) });
    case 6:
      return site("POST", control, { type: "schedule", sku: null, delta_kw: kw, baseline_kw: 0, ...times });
    default:
      return site("POST", "/baseline", { ems_id: sites[0].emsId, baselines: [] });
  }
}
