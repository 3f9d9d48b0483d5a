import { describe, expect, test } from "vitest";
import { hexId } from "../../src/base/ids.ts";
import { InputErrors } from "../../src/base/inputError.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import {
  BATTERY_YAML,
  hourlyCsv,
  readScenarioYaml,
  SCENARIO_HEAD,
  SMALL_SCENARIO,
  scenarioErrors,
} from "./scenarioFixtures.ts";

type Case = readonly [what: string, yaml: string, errors: readonly string[], files?: Record<string, string>];

/** Each case states all errors of its scenario, in their order. */
function checkCases(cases: readonly Case[]): void {
  for (const [what, yaml, errors, files] of cases) {
    test(what, () => expect(scenarioErrors(yaml, files)).toEqual(errors));
  }
}

/** Line 7 is the battery's; the battery begins in column 18. */
const battery = (component: string) => `${SCENARIO_HEAD}sites:\n  - name: b\n    components: [${component}]\n`;
const withKeys = (keys: string) => battery(BATTERY_YAML.replace("}", `, ${keys}}`));
const SITE_B = `sites:\n  - name: b\n    components: [${BATTERY_YAML}]\n`;
const A_TIME = "a time with Z or an offset, such as 2026-04-01T00:00:00+09:00";
const NO_TIME = "an ISO 8601 time with Z or an offset, such as 2026-04-01T00:00:00Z";
const A_DURATION = "an ISO 8601 duration above 0 of days, hours, minutes and seconds, as in P1DT12H or PT90S";
const BATTERY_KEYS =
  "component_id, fcr_capable, component_type, rated_cap, import_pwr_max, export_pwr_max, soc_op_min, soc_op_max, model";

describe("shape of the document", () => {
  checkCases([
    [
      "unknown keys, the nearest known one first",
      SMALL_SCENARIO.replace("name: small", "nmae: small\nseeed: 4"),
      [
        "scenario.yaml:2:1: nmae: found an unknown key, allowed one of version, name, description, timezone, language, start, end, seed, series, frequency, market, settlement, investment, sites, vpps, awards, bids, instructions, events, report, session (did you mean name?)",
        "scenario.yaml:3:1: seeed: found an unknown key, allowed one of version, name, description, timezone, language, start, end, seed, series, frequency, market, settlement, investment, sites, vpps, awards, bids, instructions, events, report, session (did you mean seed?)",
      ],
    ],
    [
      "missing keys",
      "version: 1\nsites: []\n",
      [
        "scenario.yaml:1:1: name: a value is required (at most 100 lowercase letters, digits and -, starting with a letter or digit)",
        `scenario.yaml:1:1: start: a value is required (${NO_TIME})`,
        `scenario.yaml:1:1: end: a value is required (${NO_TIME})`,
        "scenario.yaml:2:8: sites: found a list of 0, allowed a list of at least 1 entry",
      ],
    ],
    [
      "a run of thousands of years",
      SMALL_SCENARIO.replace(/^end: .*$/m, "end: 9026-04-02T00:00:00Z"),
      [
        "scenario.yaml:4:6: end: found 9026-04-02T00:00:00Z, allowed an instant at most a hundred years after start, 2126-04-02T00:00:00Z",
      ],
    ],
    [
      "a run in a year in which doubles have no thousandths of a millisecond",
      SMALL_SCENARIO.replace(/^start: .*$/m, "start: 9999-12-30T00:00:00Z").replace(
        /^end: .*$/m,
        "end: 9999-12-31T23:59:59.999Z",
      ),
      [
        "scenario.yaml:3:8: start: found 9999-12-30T00:00:00Z, allowed an instant of the years 1700 to 2200",
        "scenario.yaml:4:6: end: found 9999-12-31T23:59:59.999Z, allowed an instant of the years 1700 to 2200",
      ],
    ],
    [
      "ratings that no plant has",
      withKeys("model: {ramp_kw_per_s: 1e-300}").replace("import_pwr_max: 1000", "import_pwr_max: 1e300"),
      [
        "scenario.yaml:7:96: sites.0.components.0.import_pwr_max: found 1e+300, allowed a number from 0 to 10000000",
        "scenario.yaml:7:179: sites.0.components.0.model.ramp_kw_per_s: found 1e-300, allowed a number from 0.000001 to 10000000",
      ],
    ],
    [
      "numbers without limits that no quantity has, in a key and in a series",
      `${SMALL_SCENARIO}vpps: [{name: v, members: [{site: b, resource_type: battery}]}]
series: {p: {file: p.csv}}
market: {energy_price: p.jpy}
bids:
  - {vpp: v, sku: exchange-da, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:00:00Z, delta_kw: -5, bid_jpy_per_kwh: -2e12, cleared_price: 8}
`,
      [
        "scenario.yaml:10:24: market.energy_price: found 4000000000000 at 2026-04-01T00:00:00Z in p.jpy, allowed values from -1000000000000 to 1000000000000",
        "scenario.yaml:12:119: bids.0.bid_jpy_per_kwh: found -2000000000000, allowed a number, or a series and its role, as in factory.load_kw; numbers are at most 1000000000000 in size",
      ],
      { "p.csv": hourlyCsv(24, { jpy: () => 4e12 }) },
    ],
    [
      "names that a plain object has before its first key",
      `${SMALL_SCENARIO}series: {p: {file: p.csv, columns: {__proto__: kw, constructor: kw}, labels: {__proto__: end}}}
market: {energy_price: p.toString, price_forecast: p.constructor, reserve_price_per_kw_30min: {__proto__: 1}}
`,
      [
        'scenario.yaml:8:37: series.p.columns.__proto__: found name "__proto__", allowed another name',
        'scenario.yaml:8:79: series.p.labels.__proto__: found name "__proto__", allowed another name',
        'scenario.yaml:9:24: market.energy_price: found role "toString" of series p, allowed one of its roles constructor',
        'scenario.yaml:9:96: market.reserve_price_per_kw_30min.__proto__: found name "__proto__", allowed another name',
      ],
      { "p.csv": hourlyCsv(24, { kw: () => 1 }) },
    ],
    [
      "a faulty number of days of a baseline, once",
      `${SCENARIO_HEAD}series: {s: {file: s.csv}}
sites:
  - name: c
    components: [{component_id: c, component_type: consumer, contract_kw: 9, max_demand_kw: 9, model: {load: s.kw}}]
    baseline: {method: average_of_days, days: 400}
`,
      ["scenario.yaml:9:47: sites.0.baseline.days: found 400, allowed a whole number from 1 to 365"],
      { "s.csv": hourlyCsv(24, { kw: () => 1 }) },
    ],
    [
      "wrong types",
      `${SMALL_SCENARIO}seed: seven\ntimezone: [UTC]\nvpps: {name: v}\nreport: PT30M\n`,
      [
        'scenario.yaml:8:7: seed: found "seven", allowed a whole number from 0 to 9007199254740991',
        "scenario.yaml:9:11: timezone: found a list of 1, allowed text",
        "scenario.yaml:10:7: vpps: found a mapping (name), allowed a list",
        'scenario.yaml:11:9: report: found "PT30M", allowed a mapping with interval, power_interval, formats, times, csv, omit',
      ],
    ],
    [
      "numbers out of range",
      withKeys("model: {initial_soc: 101, charge_efficiency: 0, discharge_efficiency: 1.01, response_delay_s: -1}"),
      [
        "scenario.yaml:7:176: sites.0.components.0.model.initial_soc: found 101, allowed a number from 0 to 100",
        "scenario.yaml:7:200: sites.0.components.0.model.charge_efficiency: found 0, allowed a number above 0, at most 1",
        "scenario.yaml:7:225: sites.0.components.0.model.discharge_efficiency: found 1.01, allowed a number above 0, at most 1",
        "scenario.yaml:7:249: sites.0.components.0.model.response_delay_s: found -1, allowed a number from 0 to 86400",
      ],
    ],
    [
      "NaN and infinity",
      battery(BATTERY_YAML.replace("2000", ".nan").replace("1000", ".inf")),
      [
        "scenario.yaml:7:74: sites.0.components.0.rated_cap: found NaN, allowed a number from 0.001 to 1000000000",
        "scenario.yaml:7:96: sites.0.components.0.import_pwr_max: found Infinity, allowed a number from 0 to 10000000",
      ],
    ],
    [
      "a capacity below a watt-hour",
      battery(BATTERY_YAML.replace("2000", "5e-324")),
      ["scenario.yaml:7:74: sites.0.components.0.rated_cap: found 5e-324, allowed a number from 0.001 to 1000000000"],
    ],
    [
      "a mistyped rating counts once",
      battery(BATTERY_YAML.replace("rated_cap", "rated_capp")),
      [
        `scenario.yaml:7:63: sites.0.components.0.rated_capp: found an unknown key, allowed one of ${BATTERY_KEYS} (did you mean rated_cap?)`,
      ],
    ],
    [
      "unknown kinds",
      battery("{component_id: b, component_type: batery}"),
      [
        'scenario.yaml:7:52: sites.0.components.0.component_type: found "batery", allowed one of battery, consumer, generator, ev_chargers (did you mean battery?)',
      ],
    ],
    [
      "a tab at the start of a line, one of many",
      `${SCENARIO_HEAD}sites:\n  - name: b\n  \tcomponents:\n\t\t- [${BATTERY_YAML}]\nvpps:\n\t- name: v\n`,
      ["scenario.yaml:7:3: found a tab as indentation, allowed spaces in place of all tabs of the file"],
    ],
    [
      "a tab behind the dash of a list",
      `${SCENARIO_HEAD}sites:\n  -\tname: b\n   \tcount: 2\n`,
      ["scenario.yaml:6:4: found a tab as indentation, allowed spaces in place of all tabs of the file"],
    ],
    [
      "not well-formed YAML",
      `${SCENARIO_HEAD}sites: [\n`,
      [
        "scenario.yaml:6:1: found Flow sequence in block collection must be sufficiently indented and end with a ], allowed well-formed YAML",
      ],
    ],
    [
      "one key twice",
      `${SMALL_SCENARIO}seed: 1\nseed: 2\n`,
      ["scenario.yaml:9:1: found a second key seed, allowed each key once in a mapping"],
    ],
    [
      "a second document",
      `---\n${SMALL_SCENARIO}---\nsites: []\n--- # a third\n`,
      ["scenario.yaml:9:1: found a second YAML document, allowed one document in a file, so no further ---"],
    ],
    ["an empty file", "# nothing here\n", ["scenario.yaml:1:1: found an empty file, allowed a mapping of keys"]],
    [
      "a document that holds itself",
      `${SMALL_SCENARIO}events: &e [*e]\n`,
      ["scenario.yaml:8:13: found alias *e inside its own anchor, allowed a document without cycles"],
    ],
    [
      "aliases of aliases of aliases",
      `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e]\n`,
      ["scenario.yaml:1:14: found too many values, allowed at most 500000 once aliases are written out"],
    ],
  ]);

  test("brackets beyond any depth", () => {
    expect(scenarioErrors("[".repeat(200_000))).toEqual([
      "scenario.yaml:1:1: found collections nested too deeply, allowed at most 64 levels",
    ]);
  });

  test("a file of many megabytes", () => {
    expect(scenarioErrors(`# ${"x".repeat(8_000_000)}`)[0]).toMatch(
      /^scenario\.yaml:1:1: found 8000002 characters, allowed at most 8000000/,
    );
  });

  test("a missing scenario file", () => {
    expect(() => loadScenario("no/such/scenario.yaml")).toThrow(
      "file not found: no/such/scenario.yaml (a readable scenario file)",
    );
  });

  test("six wrong values give six errors, with their parts apart", () => {
    const yaml = `${SCENARIO_HEAD.replace("name: small", "name: Small")}seed: -1
sites:
  - name: b b
    components: [${BATTERY_YAML.replace("2000", "0")}]
    outages: {mtbf: 60 days, mttr: PT6H}
vpps: [{name: v, members: [{site: b, resource_type: batteries}]}]
`;
    try {
      readScenarioYaml(yaml);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InputErrors);
      const { errors, message } = error as InputErrors;
      expect(errors.map(({ keyPath }) => keyPath)).toEqual([
        "name",
        "seed",
        "sites.0.name",
        "sites.0.components.0.rated_cap",
        "sites.0.outages.mtbf",
        "vpps.0.members.0.site",
        "vpps.0.members.0.resource_type",
      ]);
      expect(message.split("\n")).toHaveLength(7);
      expect(errors[4]).toEqual({
        file: "/s/scenario.yaml",
        line: 9,
        column: 21,
        keyPath: "sites.0.outages.mtbf",
        found: '"60 days"',
        allowed: A_DURATION,
        message: `/s/scenario.yaml:9:21: sites.0.outages.mtbf: found "60 days", allowed ${A_DURATION}`,
      });
    }
  });
});

describe("head, sites and members", () => {
  checkCases([
    [
      "the end before the start, a zone that does not exist",
      `${SMALL_SCENARIO.replace("2026-04-02", "2026-03-02")}timezone: Asia/Tokio\n`,
      [
        "scenario.yaml:4:6: end: found 2026-03-02T00:00:00Z, allowed an instant after start, 2026-04-01T00:00:00Z",
        'scenario.yaml:8:11: timezone: found "Asia/Tokio", allowed an IANA time zone, as in Asia/Tokyo or UTC',
      ],
    ],
    [
      "times without an offset, days that do not exist",
      SMALL_SCENARIO.replace("2026-04-01T00:00:00Z", "2026-04-01T00:00:00").replace("2026-04-02T00", "2026-04-31T00"),
      [
        `scenario.yaml:3:8: start: found "2026-04-01T00:00:00", allowed ${A_TIME}`,
        `scenario.yaml:4:6: end: found "2026-04-31T00:00:00Z", allowed ${NO_TIME}`,
      ],
    ],
    [
      "two sites of one name",
      `${SMALL_SCENARIO}  - name: b\n    components: [${BATTERY_YAML}]\n`,
      ['scenario.yaml:8:11: sites.1.name: found "b" again, allowed each site name once'],
    ],
    [
      "{n} missing, and ems_id, where count is above 1",
      `${SMALL_SCENARIO}    count: 2\n    ems_id: "0123456789abcdef0123456789abcdef"\n`,
      [
        'scenario.yaml:6:11: sites.0.name: found "b", allowed {n} in the name of 2 sites, as in "b-{n}"',
        'scenario.yaml:9:13: sites.0.ems_id: found "0123456789abcdef0123456789abcdef", allowed no ems_id where count is 2: each site needs its own',
      ],
    ],
    [
      "one ems_id for two sites",
      `${SMALL_SCENARIO}    ems_id: "0123456789abcdef0123456789abcdef"\n  - name: c\n    ems_id: "0123456789abcdef0123456789abcdef"\n    components: [${BATTERY_YAML}]\n`,
      ["scenario.yaml:10:13: sites.1.ems_id: found the ems_id of site b, allowed an ems_id of its own"],
    ],
    [
      "an ems_id that another site has by default",
      `${SMALL_SCENARIO}    ems_id: "${hexId("site:c")}"\n  - name: c\n    components: [${BATTERY_YAML}]\n`,
      [expect.stringMatching(/sites\.1\.ems_id: found the ems_id of site b, allowed an ems_id of its own$/)],
    ],
    [
      "a vpp_id that a site has, and one that another VPP has by default",
      `${SMALL_SCENARIO}    ems_id: "0123456789abcdef0123456789abcdef"\nvpps:\n  - {name: x, vpp_id: "0123456789abcdef0123456789abcdef", members: []}\n  - {name: y, vpp_id: "${hexId("vpp:z")}", members: []}\n  - {name: z, members: []}\n`,
      [
        expect.stringMatching(/vpps\.0\.vpp_id: found the ems_id of site b, allowed a vpp_id of its own$/),
        expect.stringMatching(/vpps\.2\.vpp_id: found the vpp_id of VPP y, allowed a vpp_id of its own$/),
      ],
    ],
    [
      "an operating window upside down, a taper out of order",
      battery(
        `${BATTERY_YAML.replace("soc_op_min: 10", "soc_op_min: 95").replace("}", "")}, model: {power_taper: [{soc: 90, import_fraction: 1, export_fraction: 1}, {soc: 90, import_fraction: 0, export_fraction: 1}]}}`,
      ),
      [
        "scenario.yaml:7:135: sites.0.components.0.soc_op_min: found 95, allowed a number below soc_op_max, 90",
        "scenario.yaml:7:234: sites.0.components.0.model.power_taper.1.soc: found 90, allowed a number above that of the point before, 90",
      ],
    ],
    [
      "maintenance that ends before it starts, a component twice",
      `${SCENARIO_HEAD}${SITE_B.replace("}]", `}, ${BATTERY_YAML}]`)}    maintenance: [{start: 2026-04-01T02:00:00Z, end: 2026-04-01T01:00:00Z}]\n`,
      [
        'scenario.yaml:7:171: sites.0.components.1.component_id: found "bat" again, allowed each component_id once within a site',
        "scenario.yaml:8:54: sites.0.maintenance.0.end: found 2026-04-01T01:00:00Z, allowed an instant after its start, 2026-04-01T02:00:00Z",
      ],
    ],
    [
      "a member in two VPPs, twice in one, of the wrong kind, and a glob that matches nothing",
      `${SMALL_SCENARIO}vpps:
  - {name: v, members: [{site: b, resource_type: battery}, {site: "*", resource_type: battery}]}
  - {name: w, members: [{site: b, resource_type: generator}, {site: "x*", resource_type: battery}]}
  - {name: v}
`,
      [
        'scenario.yaml:9:67: vpps.0.members.1.site: found "b", a member of this VPP already, allowed each site once, in one VPP',
        'scenario.yaml:10:32: vpps.1.members.0.site: found "b", a member of VPP v already, allowed each site once, in one VPP',
        `scenario.yaml:10:69: vpps.1.members.1.site: found "x*", allowed a site's name or a glob that matches one (sites: b)`,
        'scenario.yaml:11:12: vpps.2.name: found "v" again, allowed each VPP name once',
      ],
    ],
    [
      "more than 100 members",
      `${SMALL_SCENARIO.replace("name: b", "name: b{n}")}    count: 101\nvpps:\n  - {name: v, members: [{site: "b*", resource_type: battery}]}\n`,
      ["scenario.yaml:10:24: vpps.0.members: found 101 members, allowed at most 100"],
    ],
    [
      "resource_type against the components",
      `${SMALL_SCENARIO}vpps: [{name: v, members: [{site: b, resource_type: multi_component}]}]\n`,
      [
        "scenario.yaml:8:53: vpps.0.members.0.resource_type: found multi_component, allowed battery, by the components of b",
      ],
    ],
  ]);
});

describe("awards, instructions and events", () => {
  const vpp = `${SMALL_SCENARIO}vpps: [{name: v}]\n`;
  checkCases([
    [
      "awards that end before they start, start before the scenario or are registered after their start",
      `${vpp}awards:
  - {vpp: v, sku: rr, start: 2026-04-01T02:00:00Z, end: 2026-04-01T01:00:00Z, delta_kw: 1}
  - {vpp: v, sku: rr, start: 2026-03-31T02:00:00Z, end: 2026-04-01T01:00:00Z, delta_kw: 1}
  - {vpp: v, sku: rr, start: 2026-04-01T02:00:00Z, end: 2026-04-01T03:00:00Z, delta_kw: 1, registered_at: 2026-04-01T02:00:01Z}
  - {vpp: x, sku: rr, start: 2026-04-01T03:00:00Z, end: 2026-04-01T04:00:00Z, activation: 1.5}
`,
      [
        "scenario.yaml:10:57: awards.0.end: found 2026-04-01T01:00:00Z, allowed an instant after its start, 2026-04-01T02:00:00Z",
        "scenario.yaml:11:30: awards.1.start: found 2026-03-31T02:00:00Z, allowed an instant at or after the scenario's start, 2026-04-01T00:00:00Z",
        "scenario.yaml:12:107: awards.2.registered_at: found 2026-04-01T02:00:01Z, allowed an instant not after the award's start, 2026-04-01T02:00:00Z",
        "scenario.yaml:13:5: awards.3.delta_kw: a value is required (a number of kW for sku rr (delta_kw_required))",
        'scenario.yaml:13:11: awards.3.vpp: found "x", allowed the name of a VPP (v)',
        "scenario.yaml:13:91: awards.3.activation: found 1.5, allowed a number from 0 to 1, or a series and its role, as in factory.load_kw",
      ],
    ],
    [
      "one award_id twice, amounts that the product does not take",
      `${vpp}awards:
  - {vpp: v, sku: rr, start: 2026-04-01T02:00:00Z, end: 2026-04-01T03:00:00Z, delta_kw: 1, award_id: I-1}
  - {vpp: v, sku: rr, start: 2026-04-01T03:00:00Z, end: 2026-04-01T04:00:00Z, delta_kw: 1, fcr_response_kw: 1, compound_breakdown: {rr: 1}}
instructions:
  - {vpp: v, at: 2026-04-01T02:00:00Z, duration_minutes: 5, delta_kw: 1}
`,
      [
        "scenario.yaml:11:109: awards.1.fcr_response_kw: found 1, allowed no fcr_response_kw for sku rr (fcr_response_kw_not_allowed)",
        "scenario.yaml:11:132: awards.1.compound_breakdown: found a breakdown, allowed no compound_breakdown for sku rr (compound_breakdown_not_allowed)",
        'scenario.yaml:13:5: instructions.0.award_id: found "I-1" again, allowed each award_id once',
      ],
    ],
    [
      "a fault that the site cannot have",
      `${vpp}events:
  - {at: 2026-04-01T02:00:00Z, kind: fcr_fault, site: b}
  - {at: 2026-04-01T02:00:00Z, kind: output_control, site: b, limit_pct: 10}
`,
      ['scenario.yaml:10:55: events.0.site: found "b", allowed a site that can provide FCR: there is none'],
    ],
    [
      "events of no kind, at unknown sites, too early, or with keys of another kind",
      `${vpp}events:
  - {at: 2026-04-01T02:00:00Z, kind: outtage, site: b}
  - {at: 2026-04-01T02:00:00Z, kind: outage, site: c, limit_pct: 4}
  - {at: 2026-03-01T02:00:00Z, kind: warning, site: b, duration: PT0S}
`,
      [
        'scenario.yaml:10:38: events.0.kind: found "outtage", allowed one of outage, maintenance, warning, link_down, fcr_fault, output_control, derate, sensor_offset, sensor_stuck, irradiance_shortfall, set_weight, add_member, remove_member, direct_schedule, fault_end, request (did you mean outage?)',
        'scenario.yaml:11:52: events.1.site: found "c", allowed a site\'s name (b)',
        "scenario.yaml:11:55: events.1.limit_pct: found an unknown key, allowed one of at, order, derived_from, kind, site, duration",
        "scenario.yaml:12:10: events.2.at: found 2026-03-01T02:00:00Z, allowed an instant at or after the scenario's start, 2026-04-01T00:00:00Z",
        `scenario.yaml:12:66: events.2.duration: found "PT0S", allowed ${A_DURATION}`,
      ],
    ],
    [
      "both capacity prices on one award",
      `${vpp}awards:
  - {vpp: v, start: 2026-04-01T02:00:00Z, end: 2026-04-01T03:00:00Z, delta_kw: 1, price_jpy_per_kw_h: 3.2, price_jpy_per_kw_30min: 1.6}
`,
      [
        "scenario.yaml:10:132: awards.0.price_jpy_per_kw_30min: found price_jpy_per_kw_h beside it, allowed one of the two: they price the same capacity",
      ],
    ],
    [
      "an award file with wrong cells, a wrong column and a missing one: the columns count once",
      `${vpp}awards: [{file: awards.csv, vpp: v}]\n`,
      [
        "awards.csv:1:1: end: found no such column, allowed an ISO 8601 time with Z or an offset, such as 2026-04-01T00:00:00Z",
        "awards.csv:1:16: delta: found an unknown column, allowed one of vpp, sku, start, end, delta_kw, fcr_response_kw, compound_breakdown, registered_at, activation, price_jpy_per_kw_h, price_jpy_per_kw_30min, price_jpy_per_kwh, penalty_jpy_per_kwh, price_per_kw_h, price_per_kw_30min, price_per_kwh, penalty_per_kwh, v1_price_per_kwh, v2_price_per_kwh, award_id (did you mean delta_kw?)",
        "awards.csv:1:22: delta_kw: found a second column of this name, allowed each column once",
        `awards.csv:2:1: start: found "2026-04-01T00:00:00", allowed ${A_TIME}`,
        'awards.csv:3:22: delta_kw: found "ten", allowed a number from -999999.9 to 999999.9',
        "awards.csv:5:1: found 2 cells, allowed 4, as in the header (start, delta_kw, delta, delta_kw)",
      ],
      {
        "awards.csv":
          "start,delta_kw,delta,delta_kw\n2026-04-01T00:00:00,1,1,1\n2026-04-01T00:00:00Z,ten,1,1\n\n2026-04-01T00:00:00Z,1\n",
      },
    ],
    [
      "award files that are missing, empty or no CSV",
      `${vpp}awards: [{file: a.csv}, {file: b.csv}, {file: c.csv}]\n`,
      [
        'scenario.yaml:9:17: awards.0.file: file not found: "a.csv" (a readable CSV file, relative to the scenario file)',
        "b.csv:1:1: found an empty file, allowed a header line with column names",
        "c.csv:2:1: found a quoted field without an end, allowed a CSV table (RFC 4180)",
      ],
      { "b.csv": "", "c.csv": 'vpp\n"v\n' },
    ],
    [
      "cells of a quoted file, by the line on which their row begins",
      `${vpp}awards: [{file: a.csv, vpp: v}]\n`,
      ['a.csv:4:42: delta_kw: found "x", allowed a number from -999999.9 to 999999.9'],
      {
        "a.csv":
          'start,end,delta_kw,award_id\n2026-04-01T00:00:00Z,2026-04-01T01:00:00Z,1,"a"\n\n"2026-04-01T01:00:00Z",2026-04-01T02:00Z,x,b\n',
      },
    ],
    [
      "a fleet with a wrong cell and an unknown column",
      `${SCENARIO_HEAD}sites: [{file: fleet.csv}]\n`,
      [
        `fleet.csv:1:20: components.0.rated: found an unknown column, allowed one of ${BATTERY_KEYS}, consumer_kind, contract_kw, max_demand_kw, dr_capable, min_dr_reduction_kw, max_dr_reduction_kw, min_dr_duration_minutes, min_dr_cooldown_minutes, subsidy, rated_output_kw, generator_kind, pv_capacity_kw, min_output_kw, ramp_rate_kw_per_min, fuel_type, pump_input_max_kw, upper_reservoir_capacity_kwh, connectors, charge_efficiency, discharge_efficiency, soc_min (did you mean rated_cap?)`,
        'fleet.csv:2:8: count: found "1.5", allowed a whole number from 1 to 100000',
      ],
      {
        "fleet.csv":
          "name,control,count,      components.0.rated,components.0.component_id,components.0.component_type,components.0.rated_cap,components.0.import_pwr_max,components.0.export_pwr_max,components.0.soc_op_min,components.0.soc_op_max\n" +
          "a,open,1.5,   1.5,b,battery,1,1,1,0,100\n",
      },
    ],
  ]);
});

describe("series", () => {
  const using = (series: string, use = "s.load") =>
    `${SCENARIO_HEAD}series:\n  s: ${series}\nsites:\n  - name: c\n    components: [{component_id: c, component_type: consumer, contract_kw: 9, max_demand_kw: 9, model: {load: ${use}}}]\n`;
  const rows = (...lines: string[]) => `timestamp,load\n${lines.join("\n")}\n`;
  const FULL = hourlyCsv(24, { load: () => 1 });
  const at = "scenario.yaml:9:110: sites.0.components.0.model.load";
  checkCases([
    [
      "a series or role that is not there",
      using("{file: s.csv}", "t.load").replace("sites:", "market: {energy_price: s.price}\nsites:"),
      [
        'scenario.yaml:7:24: market.energy_price: found role "price" of series s, allowed one of its roles load',
        'scenario.yaml:10:110: sites.0.components.0.model.load: found series "t", allowed one of the series s',
      ],
      { "s.csv": FULL },
    ],
    [
      "a file that is missing",
      using("{file: s.csv}"),
      [
        'scenario.yaml:6:13: series.s.file: file not found: "s.csv" (a readable CSV file, plain or gzip, relative to the scenario file)',
      ],
    ],
    [
      "a file that is empty",
      using("{file: s.csv}"),
      ["s.csv:1:1: found an empty file, allowed a header line and rows"],
      { "s.csv": "" },
    ],
    [
      "a column that is missing",
      using("{file: s.csv, columns: {load: demand}}"),
      ["s.csv:1:1: demand: found no such column, allowed one of the columns timestamp, load"],
      { "s.csv": FULL },
    ],
    [
      "a cell that is no number, a time without an offset",
      using("{file: s.csv}"),
      [
        's.csv:2:2: load: found "x", allowed a finite number, such as -12.5, or an empty cell',
        `s.csv:3:1: timestamp: found "2026-04-01T01:00:00", allowed ${A_TIME}`,
      ],
      { "s.csv": rows("2026-04-01T00:00:00Z,x", "2026-04-01T01:00:00,1") },
    ],
    [
      "times out of order and twice",
      using("{file: s.csv}"),
      [
        "s.csv:3:1: timestamp: found 2026-04-01T01:00:00.000Z, the same as the row on line 2, allowed a time after 2026-04-01T01:00:00.000Z",
        "s.csv:4:1: timestamp: found 2026-04-01T00:00:00.000Z, before the row on line 3, allowed a time after 2026-04-01T01:00:00.000Z",
      ],
      { "s.csv": rows("2026-04-01T01:00:00Z,1", "2026-04-01T01:00:00Z,1", "2026-04-01T00:00:00Z,1") },
    ],
    [
      "data missing within the run",
      using("{file: s.csv, max_gap: PT2H}"),
      [
        "s.csv:3:1: load: found no data from 2026-04-01T02:00:00Z to 2026-04-01T12:00:00Z, allowed data for the whole run (or on_gap: hold or zero, a longer max_gap, or repeat)",
        "s.csv:5:1: load: found no data from 2026-04-01T14:00:00Z to 2026-04-02T00:00:00Z, allowed data for the whole run (or on_gap: hold or zero, a longer max_gap, or repeat)",
      ],
      {
        "s.csv": rows(
          "2026-04-01T00:00:00Z,1",
          "2026-04-01T01:00:00Z,1",
          "2026-04-01T12:00:00Z,1",
          "2026-04-01T13:00:00Z,1",
        ),
      },
    ],
    [
      "a load below zero",
      using("{file: s.csv}"),
      [`${at}: found -1 at 2026-04-01T05:00:00Z in s.load, allowed values at least 0`],
      { "s.csv": hourlyCsv(24, { load: (hour) => (hour === 5 ? -1 : 1) }) },
    ],
    [
      "options that do not exist",
      using("{file: s.csv, interpolation: cubic, max_gap: 3h, shift: 1 day, repeat: month, label: begin}"),
      [
        'scenario.yaml:6:35: series.s.interpolation: found "cubic", allowed one of step, linear',
        `scenario.yaml:6:51: series.s.max_gap: found "3h", allowed ${A_DURATION}`,
        'scenario.yaml:6:62: series.s.shift: found "1 day", allowed an ISO 8601 duration of days, hours, minutes and seconds, - in front to go back',
        'scenario.yaml:6:77: series.s.repeat: found "month", allowed one of none, day, week, year',
        'scenario.yaml:6:91: series.s.label: found "begin", allowed one of instant, start, middle, end',
      ],
      { "s.csv": FULL },
    ],
  ]);

  test("data missing outside the run does not matter", () => {
    const files = { "s.csv": `${FULL}2026-05-01T00:00:00Z,1\n` };
    expect(readScenarioYaml(using("{file: s.csv}"), files).world.sites).toHaveLength(1);
  });
});

test("a study file where a scenario is needed names the command", () => {
  expect(scenarioErrors("version: 1\nname: s\nscenario: x.yaml\nparameters: []\n")).toEqual([
    "scenario.yaml:1:1: found a study, allowed a scenario; run a study with: vppsim study scenario.yaml",
  ]);
});

test("a header line of a million characters is cut in the error and in the note about it", () => {
  const long = "x".repeat(1_000_000);
  const vpp = "vpps: [{name: v, members: [{site: b, resource_type: battery}]}]\n";
  const withHeader = (header: string) =>
    readScenarioYaml(`${SMALL_SCENARIO}${vpp}awards: [{file: a.csv}]\n`, {
      "a.csv": `vpp,start,end,delta_kw,${header}\nv,2026-04-01T01:00:00Z,2026-04-01T02:00:00Z,-100,1\n`,
    });
  const [{ keyPath, message }] = withHeader(long).remarks.filter(({ check }) => check === "ignored-column");
  expect(keyPath.length + message.length).toBeLessThan(300);
  const [repeated] = scenarioErrors(`${SMALL_SCENARIO}${vpp}awards: [{file: a.csv}]\n`, {
    "a.csv": `vpp,start,end,delta_kw,${long},${long}\nv,2026-04-01T01:00:00Z,2026-04-01T02:00:00Z,-100,1,1\n`,
  });
  expect(repeated).toContain("a second column of this name");
  expect(repeated.length).toBeLessThan(5000);
});
