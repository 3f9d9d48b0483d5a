// What the rules are tried on: small sites with round numbers.

export const START = "2026-04-01T00:00:00Z";
export const START_MS = Date.parse(START);

/** Constant flows over four days, in steps of an hour. */
export function flowsCsv(): string {
  const rows = Array.from({ length: 97 }, (_, k) => `${new Date(START_MS + k * 3_600_000).toISOString()},300,50`);
  return `timestamp,load_kw,sun_kw\n${rows.join("\n")}\n`;
}

const battery = (id: string, kw: number, capKwh = 1000) =>
  `{component_id: ${id}, component_type: battery, fcr_capable: true, rated_cap: ${capKwh}, import_pwr_max: ${kw}, export_pwr_max: ${kw}, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50, charge_efficiency: 1, discharge_efficiency: 1}}`;
const pv = (subsidy: string) =>
  `{component_id: pv, component_type: generator, generator_kind: pv, subsidy: ${subsidy}, pv_capacity_kw: 120, rated_output_kw: 100, model: {generation: flows.sun_kw}}`;
const load =
  "{component_id: line, component_type: consumer, consumer_kind: factory, contract_kw: 600, max_demand_kw: 500, dr_capable: true, min_dr_reduction_kw: 40, max_dr_reduction_kw: 60, min_dr_duration_minutes: 30, min_dr_cooldown_minutes: 60, model: {load: flows.load_kw}}";

const site = (name: string, components: readonly string[], more = "") =>
  `  - {name: ${name}, components: [${components.join(", ")}]${more === "" ? "" : `, ${more}`}}`;
const member = (name: string, type: string, weight = 100) =>
  `{site: ${name}, resource_type: ${type}, allocation_weight: ${weight}}`;

const head = (name: string, end: string) =>
  `version: 1\nname: ${name}\nstart: ${START}\nend: ${end}\nseed: 1\nseries:\n  flows: {file: flows.csv}\n`;

/**
 * VPP east has batteries a (100 kW, weight 100) and b (200 kW, weight 300); west has battery w; mixed has a site of each
 * kind; dr has a load alone; c, narrow, shop, shy and free belong to nobody. All batteries hold half of 1000 kWh, of which
 * 10 to 90 % are used, without losses.
 */
export const FLEET = `${head("conformance", "2026-04-04T00:00:00Z")}sites:
${site("a", [battery("bat", 100)])}
${site("b", [battery("bat", 200)])}
${site("w", [battery("bat", 100)])}
${site("c", [battery("bat", 300)])}
${site("narrow", [battery("bat", 100)], "capability: {marketable: [rr]}")}
${site("store", [battery("bat", 100)])}
${site("sun", [pv("none")])}
${site("fit", [pv("fit")], "capability: {balancing_responsible: true}")}
${site("coal", ["{component_id: unit, component_type: generator, generator_kind: thermal, rated_output_kw: 300, min_output_kw: 100, fuel_type: lng}"], "baseline: {method: constant, kw: -200}")}
${site("lake", ["{component_id: turbine, component_type: generator, generator_kind: pumped_storage, rated_output_kw: 80, pump_input_max_kw: 60, upper_reservoir_capacity_kwh: 1000}"])}
${site("plant", [load], "baseline: {method: constant, kw: 300}, constraints: {site_import_max_kw: 550}")}
${site("shop", [load])}
${site("hall", [load], "baseline: {method: constant, kw: 300}")}
${site("campus", [battery("bat", 100), pv("none"), load], "baseline: {method: constant, kw: 250}, constraints: {voltage_class: high, measurement_point: grid, site_import_max_kw: 550}")}
${site("rest", [battery("bat", 100)], "maintenance: [{start: 2026-04-01T06:00:00Z, end: 2026-04-01T07:00:00Z}], baseline: {method: constant, kw: 20}")}
vpps:
  - {name: east, members: [${member("a", "battery")}, ${member("b", "battery", 300)}]}
  - {name: west, members: [${member("w", "battery")}]}
  - {name: mixed, members: [${member("store", "battery")}, ${member("sun", "generator")}, ${member("fit", "generator")}, ${member("coal", "generator")}, ${member("lake", "generator")}, ${member("plant", "consumer")}, ${member("campus", "multi_component")}]}
  - {name: dr, members: [${member("hall", "consumer")}]}
report: {formats: [csv]}
`;

/** A hundred batteries in VPP full, and one more outside. */
export const CROWD = `${head("crowd", "2026-04-02T00:00:00Z")}sites:
  - {name: "t-{n}", count: 100, components: [${battery("bat", 10)}]}
${site("last", [battery("bat", 10)])}
vpps:
  - {name: full, members: [{site: "t-*", resource_type: battery}]}
`;

/** One battery for 400 days, which charges for the first hour of it. */
export const LONG = `${head("long", "2027-05-06T00:00:00Z")}sites:
${site("a", [battery("bat", 100)])}
vpps:
  - {name: east, members: [${member("a", "battery")}]}
awards:
  - {vpp: east, sku: rr, start: ${START}, end: 2026-04-01T01:00:00Z, delta_kw: 100}
`;

/** VPPs that each have one option, or one kind of link, of their own; batteries as in FLEET. */
export const OPTIONS = `${head("options", "2026-04-02T00:00:00Z")}sites:
${site("hall", [load], "baseline: {method: constant, kw: 300}")}
${site("swift", [battery("bat", 100)])}
${["even-1", "plain-1"].map((name) => site(name, [battery("bat", 100)])).join("\n")}
${["even-2", "plain-2"].map((name) => site(name, [battery("bat", 200)])).join("\n")}
${site("lossy", [battery("bat", 100)], "link: {loss_probability: 0.8}")}
${site("slow", [battery("bat", 100)], "link: {latency_ms: 2000}")}
${site("solo", [battery("bat", 100)])}
vpps:
  - {name: literal, strict_availability_check: true, members: [${member("hall", "consumer")}]}
  - {name: quick, immediate_overrides_schedule: true, members: [${member("swift", "battery")}]}
  - {name: even, delta_excess: redistribute, members: [${member("even-1", "battery")}, ${member("even-2", "battery")}]}
  - {name: plain, members: [${member("plain-1", "battery")}, ${member("plain-2", "battery")}]}
  - {name: thin, members: [${member("lossy", "battery")}]}
  - {name: late, members: [${member("slow", "battery")}]}
  - {name: alone, members: [${member("solo", "battery")}]}
report: {formats: [csv]}
`;
