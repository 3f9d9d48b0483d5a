import { expect, test } from "vitest";
import { BATTERY, errorsOf, HEAD, hourly, SMALL } from "./fixtures.ts";

const FILES = { "s.csv": hourly(24, { ghi_w_m2: () => 0, load: () => 1 }) };
const site = (components: string, rest = "") =>
  `${HEAD}series: {s: {file: s.csv}}\nsites:\n  - name: x\n    components: [${components}]\n${rest}`;
/** The format has each of these, so each must read as far as the one error that says so. */
const CASES: readonly (readonly [what: string, yaml: string, keyPath: string])[] = [
  [
    "a site of several components",
    site(
      `${BATTERY}, {component_id: c, component_type: consumer, contract_kw: 9, max_demand_kw: 9, model: {load: s.load}}`,
    ),
    "sites.0.components",
  ],
  ["control: track of a site", `${SMALL}    control: track\n`, "sites.0.control"],
];

for (const [what, yaml, keyPath] of CASES) {
  test(`${what} is answered with its place (${keyPath})`, () => {
    const errors = errorsOf(yaml, FILES);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^scenario\.yaml:[1-9]\d*:[1-9]\d*: /);
    expect(errors[0]).toContain(`: ${keyPath}: found `);
    expect(errors[0]).toContain(`(${what} is not simulated yet)`);
  });
}

test("awards of two VPPs at one time, awards that touch and awards that overlap are simulated", () => {
  const yaml = `${SMALL}vpps: [{name: v}, {name: w}]
awards:
  - {vpp: v, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:00:00Z, delta_kw: 5}
  - {vpp: w, start: 2026-04-01T01:30:00Z, end: 2026-04-01T02:30:00Z, delta_kw: 5}
  - {vpp: v, start: 2026-04-01T02:00:00Z, end: 2026-04-01T03:00:00Z, delta_kw: x}
`;
  // The one mistake shows that nothing else is wrong.
  expect(errorsOf(yaml)).toEqual([
    'scenario.yaml:12:80: awards.2.delta_kw: found "x", allowed a number from -999999.9 to 999999.9',
  ]);
});
