import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { vppBalance } from "../../src/api/http/sandbox/reads/vppBalance.ts";
import { vppMembers } from "../../src/api/http/sandbox/reads/vppMembers.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { exportedAlarms } from "../../src/live/session/alarms/exportedAlarms.ts";
import { faultSpec } from "../../src/live/session/fault.ts";
import type { ReaderView } from "../../src/live/session/record/hiddenShortfall.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { exportYaml } from "./exportYaml.ts";
import { openTinySession } from "./openTinySession.ts";

const at = (time: string): string => `2026-05-20T${time}Z`;

/** A battery of 100 kW, 400 kWh and 50 %, and a PV plant that sends 80 kW; a reserve of 160 kW from 01:00 to 03:00. */
const YAML = `
version: 1
name: partial
start: ${at("00:00:00")}
end: ${at("06:00:00")}
seed: 1
series: {sun: {file: sun.csv}}
sites:
  - name: battery
    components:
      - {component_id: b, component_type: battery, rated_cap: 400, import_pwr_max: 100, export_pwr_max: 100, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50, discharge_efficiency: 1}}
  - name: roof
    components:
      - {component_id: pv, component_type: generator, generator_kind: pv, rated_output_kw: 100, pv_capacity_kw: 100, model: {generation: sun.kw}}
    baseline: {method: zero}
vpps:
  - name: all
    members:
      - {site: battery, resource_type: battery, allocation_weight: 100}
      - {site: roof, resource_type: generator, allocation_weight: 100}
awards:
  - {award_id: reserve, vpp: all, sku: rr, start: ${at("01:00:00")}, end: ${at("03:00:00")}, delta_kw: -140}
report: {formats: [csv]}
`;
const SUN = `timestamp,kw\n${["00:00", "02:00", "04:00", "06:00"].map((time) => `${at(`${time}:00`)},80`).join("\n")}\n`;

const files = (text = YAML) =>
  memoryFiles(
    new Map([
      ["/fleet/scenario.yaml", text],
      ["/fleet/sun.csv", SUN],
    ]),
  );

const open = (): Promise<Session> => openTinySession({}, readServedScenario("/fleet/scenario.yaml", files()));

const advance = (session: Session, time: string) => session.advance(() => Date.parse(at(time)));

/** Delivered power, then each cause of what is missing. */
function balance({ hosted }: Session, view: ReaderView = "everything"): readonly unknown[] {
  const [award] = vppBalance(hosted, hosted.record!, hosted.world.vpps[0], view).awards;
  return [award.delivered_kw, ...award.causes.map(({ stage, cause, site, kw }) => [stage, cause, site, kw])];
}

const member = ({ hosted }: Session, name: string) =>
  vppMembers(hosted, hosted.record!, hosted.world.vpps[0]).members.find(({ site }) => site === name)!;

const begin = (session: Session, fault: Omit<Parameters<typeof faultSpec>[0], never>, minutes: number | null = null) =>
  session.beginFault(faultSpec(fault, minutes === null ? null : 60_000 * minutes));

describe("a derated site", () => {
  test("delivers no more than its share of the rated power, stays in service, and is not re-dispatched", async () => {
    const session = await open();
    await advance(session, "01:10:20");
    expect(balance(session)).toEqual([-140]);
    await begin(session, { kind: "derate", site: "battery", limit_pct: 40 }, 30);
    // 70 kW of each; of the battery's 100 kW 40 are left.
    expect(balance(session)).toEqual([-110, ["delivery", "power_limit", "battery", 30]]);
    expect(balance(session, "noticed")).toEqual([-110, ["delivery", "not_yet_known", null, 30]]);
    expect(member(session, "battery")).toMatchObject({ status: "in_service", power_kw: -40, headroom_down_kw: 0 });
    await advance(session, "01:11:00");
    expect(balance(session, "noticed")).toEqual([-110, ["delivery", "power_limit", "battery", 30]]);
    const { events } = { events: session.hosted.record!.feed.after(0, 1_000) };
    expect(JSON.stringify(events)).not.toMatch(/derat/);
    await advance(session, "01:40:20");
    expect(balance(session)).toEqual([-140]);
    await session.close();
  });

  test("its limit falls and rises over the ramps, in steps of one percent", async () => {
    const session = await open();
    await advance(session, "01:10:00");
    const { fault_id } = await begin(session, {
      kind: "derate",
      site: "battery",
      limit_pct: 20,
      ramp_in: 800_000,
      ramp_out: 400_000,
    });
    const delivered = async (time: string): Promise<number | null> => {
      await advance(session, time);
      return member(session, "battery").power_kw;
    };
    // One percent each ten seconds: 70 kW are more than the limit from the 31st step on.
    expect(await delivered("01:15:00")).toBe(-70);
    expect(await delivered("01:15:10")).toBe(-69);
    expect(await delivered("01:15:19")).toBe(-69);
    expect(await delivered("01:15:20")).toBe(-68);
    expect(await delivered("01:23:19")).toBe(-21);
    expect(await delivered("01:23:20")).toBe(-20);
    expect(await delivered("01:30:00")).toBe(-20);
    await session.endFault(fault_id);
    // Back within 400 s: one percent each five seconds.
    expect(await delivered("01:30:05")).toBe(-21);
    expect(await delivered("01:34:10")).toBe(-70);
    expect(session.hosted.world.sites[0].malfunctions.derateShare).toBe(0.7);
    await advance(session, "01:37:00");
    expect(session.hosted.world.sites[0].malfunctions.derateShare).toBe(1);
    await session.close();
  });
});

test("a device with a ramp is held by its rising limit, and the cause keeps its instant", async () => {
  const slow = YAML.replace("initial_soc: 50,", "initial_soc: 50, ramp_kw_per_s: 0.5,");
  const session = await openTinySession({}, readServedScenario("/fleet/scenario.yaml", files(slow)));
  await advance(session, "01:10:00");
  const { fault_id } = await begin(session, { kind: "derate", site: "battery", limit_pct: 20, ramp_out: 400_000 });
  await advance(session, "01:20:00");
  await session.endFault(fault_id);
  const found = new Set<string>();
  for (let second = 0; second < 240; second += 1) {
    await session.advance((nowMs) => nowMs + 1_000);
    const { hosted } = session;
    const [award] = vppBalance(hosted, hosted.record!, hosted.world.vpps[0], "everything").awards;
    for (const { cause, site, since } of award.causes) found.add(`${cause} ${site} ${since}`);
  }
  expect([...found]).toEqual([`power_limit battery ${at("01:10:00")}`]);
  await session.close();
});

describe("a sensor that is wrong", () => {
  test("shows an offset in power, SOC and what is computed from them; the balance is true", async () => {
    const session = await open();
    await advance(session, "02:00:00");
    // 70 of 200 kWh are gone: 130 of 400.
    expect(member(session, "battery")).toMatchObject({ soc_pct: 32.5, energy_kwh: 90, power_kw: -70 });
    const minutes = member(session, "battery").minutes_to_empty!;
    await begin(session, { kind: "sensor_offset", site: "battery", sensor: "soc", offset: 20 });
    await begin(session, { kind: "sensor_offset", site: "battery", sensor: "power", offset: -5 });
    expect(member(session, "battery")).toMatchObject({ soc_pct: 52.5, energy_kwh: 170, power_kw: -75 });
    expect(member(session, "battery").minutes_to_empty).toBeCloseTo(minutes + (60 * 80) / 70, 0);
    expect(balance(session)).toEqual([-140]);
    await session.close();
  });

  test("stays within 0 and 100 %, and a stuck one keeps the value of its begin with fresh instants", async () => {
    const session = await open();
    await advance(session, "01:30:00");
    await begin(session, { kind: "sensor_offset", site: "battery", sensor: "soc", offset: 90 }, 10);
    expect(member(session, "battery").soc_pct).toBe(100);
    await advance(session, "01:41:00");
    const { soc_pct } = member(session, "battery");
    await begin(session, { kind: "sensor_stuck", site: "battery", sensor: "soc" });
    await begin(session, { kind: "sensor_stuck", site: "roof", sensor: "power" });
    await advance(session, "03:30:00");
    expect(member(session, "battery")).toMatchObject({ soc_pct, is_reachable: true, data_at: at("03:30:00") });
    expect(member(session, "roof").power_kw).toBe(-70);
    await session.close();
  });
});

test("less sunlight than forecast is missing for the weather, and the baseline stays", async () => {
  const session = await open();
  await advance(session, "01:10:00");
  await begin(session, { kind: "irradiance_shortfall", site: "roof", limit_pct: 25 }, 20);
  expect(balance(session)).toEqual([-90, ["delivery", "weather", "roof", 50]]);
  expect(member(session, "roof")).toMatchObject({ power_kw: -20, baseline_kw: 0 });
  await advance(session, "01:30:00");
  expect(balance(session)).toEqual([-140]);
  await session.close();
});

test("a run of the export has the same state and the same figures", async () => {
  const session = await open();
  await advance(session, "01:10:00");
  await begin(session, { kind: "derate", site: "battery", limit_pct: 20, ramp_in: 300_000, ramp_out: 300_000 }, 20);
  await begin(session, { kind: "sensor_stuck", site: "battery", sensor: "soc" }, 20);
  await begin(session, { kind: "irradiance_shortfall", site: "roof", limit_pct: 50 }, 20);
  await advance(session, "04:00:00");
  const folder = createTemporaryFolder("partial");
  // Fails if the export leads to another state.
  await session.writeReport(join(folder, "own"));
  writeFileSync(join(folder, "scenario.yaml"), exportYaml(session).replaceAll("/fleet/", `${folder}/`));
  writeFileSync(join(folder, "sun.csv"), SUN);
  await runScenario(loadScenario(join(folder, "scenario.yaml")), {
    out: join(folder, "rerun"),
    alarmsOf: exportedAlarms,
  });
  const [own, rerun] = ["own", "rerun"].map((name) => readFileSync(join(folder, name, "awards.csv"), "utf8"));
  expect(own).toBe(rerun);
  // Of the battery 1 to 49 kW on the way down and 50 to 1 kW on the way up, for 3.75 s each, and 50 kW for 15 minutes between; of the
  // roof 30 kW for 20 minutes.
  const [head, row] = own.split("\n").map((line) => line.split(","));
  expect(Number(row[head.indexOf("shortfall_kwh")])).toBeCloseTo(((1225 + 1275) * 3.75 + 50 * 900) / 3600 + 10, 3);
  await session.close();
});
