/** The scenario that `vppsim init` writes: small enough to be read at one go, with data of its own. */
import { MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { rowsCsv, seriesCsv } from "./csvText.ts";
import type { GeneratedFiles } from "./disk/writeFiles.ts";
import { expectedLoad, factoryLoad, noisyLoad } from "./loadShapes.ts";
import { pvTraceKw } from "./pvTrace.ts";
import { JST_OFFSET_MS } from "./timeGrid.ts";

const SEED = 1;
/** 2026-04-01T00:00+09:00, a Wednesday. */
const START_MS = Date.UTC(2026, 2, 31, 15);

const PV = {
  name: "pv",
  latitudeDeg: 35.68,
  longitudeDeg: 139.77,
  tiltDeg: 20,
  azimuthDeg: 180,
  capacityKw: 600,
  ratedOutputKw: 500,
};
const FACTORY = {
  name: "factory",
  noisePct: 3,
  baseKw: 200,
  shiftKw: 500,
  shiftStartHour: 8,
  shiftEndHour: 18,
  weekendFraction: 0.3,
};

export function starterFiles(): GeneratedFiles {
  const random = new RandomStreams(SEED);
  const period = { startMs: START_MS, endMs: START_MS + MS_PER_DAY, utcOffsetMs: JST_OFFSET_MS };
  const halfHours = { ...period, stepMs: MS_PER_HALF_HOUR };
  const fiveMinutes = { ...period, stepMs: 5 * MS_PER_MINUTE };
  const expectedKw = factoryLoad(FACTORY);
  return new Map<string, string | Uint8Array>([
    ["scenario.yaml", SCENARIO],
    ["pv.csv", seriesCsv(fiveMinutes, new Map([["pv_kw", pvTraceKw(fiveMinutes, PV, random)]]))],
    [
      "load.csv",
      seriesCsv(
        halfHours,
        new Map([
          ["factory_kw", noisyLoad(halfHours, FACTORY, expectedKw, random)],
          ["factory_plan_kw", expectedLoad(halfHours, expectedKw)],
        ]),
      ),
    ],
    ["awards.csv", rowsCsv(AWARD_COLUMNS, AWARDS)],
  ]);
}

const AWARD_COLUMNS = ["award_id", "vpp", "sku", "start", "end", "delta_kw"];
const AWARDS = [
  ["night-charge", "my-vpp", "exchange-da", "2026-04-01T01:00:00+09:00", "2026-04-01T03:00:00+09:00", "400"],
  ["morning", "my-vpp", "frr", "2026-04-01T09:00:00+09:00", "2026-04-01T11:00:00+09:00", "-450"],
  ["noon-charge", "my-vpp", "exchange-da", "2026-04-01T12:00:00+09:00", "2026-04-01T13:30:00+09:00", "400"],
  ["evening", "my-vpp", "rr", "2026-04-01T17:00:00+09:00", "2026-04-01T19:00:00+09:00", "-600"],
];

// The schema is named as it is found in a project that installed the package: no path of this machine goes in.
const SCENARIO = `# A scenario of vppsim: one day of a virtual power plant of three sites. Run it from its folder with
#
#   vppsim run scenario.yaml
#
# and read reports/my-vpp/report.html. An editor that knows the YAML language server checks this file as you type when
# the package is installed beside it and the very first line reads
#   yaml-language-server: $schema=node_modules/vppsim/docs/schema/scenario.schema.json    (with a # before it)
#
# Power is in kW at the grid connection, import positive: a delta of -450 requests 450 kW more to the grid.
version: 1
name: my-vpp # names the report folder
description: Three sites, four awards, one outage
timezone: Asia/Tokyo # for printing; the files are in UTC
start: 2026-04-01T00:00:00+09:00
end: 2026-04-02T00:00:00+09:00
seed: 1 # of everything random, such as outages drawn by chance

# Input series: CSV with a column timestamp (ISO 8601 with Z or an offset) and a column per series. Put your own here.
series:
  pv: {file: pv.csv} # pv.pv_kw
  load: {file: load.csv} # load.factory_kw, load.factory_plan_kw

sites:
  - name: battery
    components:
      - component_id: bat
        component_type: battery
        rated_cap: 2000 # kWh
        import_pwr_max: 500 # kW
        export_pwr_max: 500
        soc_op_min: 10 # %
        soc_op_max: 90
        model: {initial_soc: 50, charge_efficiency: 0.95, discharge_efficiency: 0.95}

  - name: solar
    components:
      - component_id: pv
        component_type: generator
        generator_kind: pv
        pv_capacity_kw: 600
        rated_output_kw: 500
        model: {generation: pv.pv_kw}

  - name: factory
    components:
      - component_id: line
        component_type: consumer
        consumer_kind: factory
        contract_kw: 1000
        max_demand_kw: 900
        dr_capable: true
        min_dr_reduction_kw: 50
        max_dr_reduction_kw: 200
        model: {load: load.factory_kw, response_delay_s: 60, ramp_kw_per_s: 2}
    baseline: {method: series, series: load.factory_plan_kw} # delivery is what it draws less than this

vpps:
  - name: my-vpp
    members: # an award is shared by weight; what a member cannot give stays uncovered
      - {site: battery, resource_type: battery, allocation_weight: 100}
      - {site: solar, resource_type: generator, allocation_weight: 40}
      - {site: factory, resource_type: consumer, allocation_weight: 30}

awards:
  - {file: awards.csv}

events:
  - {at: 2026-04-01T09:40:20+09:00, kind: outage, site: battery, duration: PT25M}

report:
  interval: PT30M # of energy records
  power_interval: PT5M # of the power series; without this line there is none
  formats: [csv, json, html]
`;
