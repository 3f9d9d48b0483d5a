/** Text of scenario.yaml of the fleet scenarios, with the members and their ratings. */
import { type EpochMs, isoUtc } from "../../base/time.ts";

const BATTERY_COUNT = 60;
const SITES_PER_TRACE = 5;
/** Columns of pv.csv and, in the names of sites, where the arrays stand. */
export const PV_TRACES = ["kanto", "tokai", "kansai", "kyushu"] as const;
/** Columns of load.csv. */
export const LOAD_TRACES = ["mill", "foundry", "office", "coldstore"] as const;

const CONSUMER_KINDS = { mill: "factory", foundry: "factory", office: "commercial", coldstore: "cold_storage" };

/** Names of all sites, in the order of the scenario. */
export function fleetSiteNames(): string[] {
  const numbered = (prefix: string) => Array.from({ length: SITES_PER_TRACE }, (_, k) => `${prefix}-${k + 1}`);
  return [
    ...Array.from({ length: BATTERY_COUNT }, (_, k) => `bat-${String(k + 1).padStart(2, "0")}`),
    ...PV_TRACES.flatMap((trace) => numbered(`pv-${trace}`)),
    ...LOAD_TRACES.flatMap((trace) => numbered(`con-${trace}`)),
  ];
}

const WEEK_FILES = `  formats: [csv, html]
  omit: [dispatch, vpp_energy]
`;
const YEAR_FILES = `  formats: [csv] # no page: the year measures the speed of a run; fleet-week shows the same fleet
  omit: [dispatch, events, vpp_energy]
`;

export function fleetScenario(name: string, startMs: EpochMs, endMs: EpochMs): string {
  return `# yaml-language-server: $schema=../../docs/schema/scenario.schema.json
# One VPP of ${fleetSiteNames().length} members, back-to-back half-hour awards. Its CSV files are generated; with them it is written by
#   vppsim init ${name} --example ${name}
# (in a clone of the repository also: npm run generate ${name}).
version: 1
name: ${name}
description: ${name === "fleet-week" ? "A week" : "A year"} of one hundred members, one-minute PV, back-to-back half-hour awards, random outages
timezone: Asia/Tokyo
start: ${isoUtc(startMs)}
end: ${isoUtc(endMs)}
seed: 1

series:
  pv: {file: pv.csv, interpolation: step} # AC kW of a 1,200 kW array, every minute
  load: {file: load.csv, interpolation: step} # kW, every half hour

sites:
${batteries()}${PV_TRACES.map(pvSites).join("")}${LOAD_TRACES.map(consumers).join("")}
vpps:
  - name: fleet
    members:
      - {site: "bat-*", resource_type: battery, allocation_weight: 100}
      - {site: "pv-*", resource_type: generator, allocation_weight: 50}
      - {site: "con-*", resource_type: consumer, allocation_weight: 30}

awards:
  - {file: awards.csv}

events:
  - {file: events.csv}

report:
  interval: PT30M
${name === "fleet-week" ? WEEK_FILES : YEAR_FILES}`;
}

const batteries = (): string => `  - name: bat-{n:02}
    count: ${BATTERY_COUNT}
    capability: {marketable: [frr]}
    constraints: {voltage_class: high, measurement_point: grid, site_import_max_kw: 1000, site_export_max_kw: 1000}
    components:
      - component_id: bat
        component_type: battery
        rated_cap: 2000
        import_pwr_max: 1000
        export_pwr_max: 1000
        soc_op_min: 10
        soc_op_max: 90
        model: {initial_soc: 50, charge_efficiency: 0.95, discharge_efficiency: 0.95}
`;

const pvSites = (trace: (typeof PV_TRACES)[number]): string => `  - name: pv-${trace}-{n}
    count: ${SITES_PER_TRACE}
    capability: {marketable: [frr]}
    constraints: {voltage_class: high, measurement_point: grid, site_import_max_kw: 1000, site_export_max_kw: 1000}
    components:
      - component_id: pv
        component_type: generator
        generator_kind: pv
        pv_capacity_kw: 1200
        rated_output_kw: 1000
        model: {generation: pv.${trace}}
`;

const consumers = (trace: (typeof LOAD_TRACES)[number]): string => `  - name: con-${trace}-{n}
    count: ${SITES_PER_TRACE}
    capability: {marketable: [frr]}
    constraints: {voltage_class: high, measurement_point: grid, site_import_max_kw: 2000}
    components:
      - component_id: plant
        component_type: consumer
        consumer_kind: ${CONSUMER_KINDS[trace]}
        contract_kw: 2000
        max_demand_kw: 2000
        dr_capable: true
        max_dr_reduction_kw: 300
        model: {load: load.${trace}}
    baseline: {method: series, series: load.${trace}}
`;
