/** What the benches of the live server have in common: a VPP of batteries, and commands for it. */
import { isoUtc } from "../src/base/time.ts";
import { RandomStreams } from "../src/engine/kernel/randomStreams.ts";

export const START_MS = Date.parse("2026-04-01T00:00:00Z");
export const HOUR_MS = 3_600_000;
const HALF_HOUR_MS = HOUR_MS / 2;

export interface LiveFleetOptions {
  readonly members: number;
  readonly days: number;
  /** Whether their set-points change each half hour. */
  readonly hasAwards: boolean;
  /** Whether they fail now and then. */
  readonly hasOutages: boolean;
}

export const fleetYaml = ({ members, days, hasAwards: awards, hasOutages: outages }: LiveFleetOptions): string => `
version: 1
name: live
start: ${isoUtc(START_MS)}
end: ${isoUtc(START_MS + days * 24 * HOUR_MS)}
seed: 1
sites:
  - name: battery-{n}
    count: ${members}
    components:
      - {component_id: bat, component_type: battery, rated_cap: 500, import_pwr_max: 200, export_pwr_max: 200, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50}}
${outages ? "    outages: {mtbf: P20D, mttr: PT2H}\n" : ""}vpps:
  - name: east
    members: [{site: "battery-*", resource_type: battery}]
${awards ? `awards:\n${awardsYaml(members, days)}` : ""}`;

const awardsYaml = (members: number, days: number): string =>
  Array.from({ length: days * 48 }, (_, k) => {
    const startMs = START_MS + k * HALF_HOUR_MS;
    const times = `start: ${isoUtc(startMs)}, end: ${isoUtc(startMs + HALF_HOUR_MS)}`;
    const registered = isoUtc(Math.max(START_MS, startMs - HALF_HOUR_MS));
    const deltaKw = (k % 2 === 0 ? -1 : 1) * (10 + (k % 7)) * members;
    return `  - {vpp: east, sku: frr, ${times}, delta_kw: ${deltaKw}, registered_at: ${registered}}\n`;
  }).join("");

/** Half of the commands are schedules of half an hour, the others immediate instructions and weights. */
export class CommandGenerator {
  private readonly random;
  private readonly emsIds: readonly string[];

  constructor(emsIds: readonly string[]) {
    this.random = new RandomStreams(emsIds.length).getStream("commands", "bench");
    this.emsIds = emsIds;
  }

  nextCommand(nowMs: number): { readonly path: string; readonly body: object } {
    const [which, amount] = [this.random.nextUniform(), this.random.nextUniform()];
    const emsIds = this.emsIds;
    const member_baselines = emsIds.map((ems_id) => ({ ems_id, baseline_kw: 0 }));
    const delta_kw = Math.round(10 * (2 * amount - 1) * 50 * emsIds.length) / 10;
    const path = "/control/active_power";
    if (which < 0.5) {
      const startMs = nowMs + Math.ceil(48 * which) * HALF_HOUR_MS;
      const times = { start_time: isoUtc(startMs), end_time: isoUtc(startMs + HALF_HOUR_MS) };
      return { path, body: { type: "schedule", delta_kw, ...times, member_baselines } };
    }
    if (which < 0.8) return { path, body: { type: "immediate", delta_kw, duration_minutes: 7, member_baselines } };
    const emsId = emsIds[Math.floor(amount * emsIds.length)];
    return { path: `/members/${emsId}`, body: { allocation_weight: Math.round(1000 * amount) } };
  }
}
