import { describe, expect, test } from "vitest";
import { hexId } from "../../src/base/ids.ts";
import { readScenarioYaml, SMALL_SCENARIO, scenarioErrors } from "./scenarioFixtures.ts";

const AT = "2026-04-01T01:00:00Z";
const scenario = (event: string) => `${SMALL_SCENARIO}vpps: [{name: v}]\nevents: [{at: ${AT}, ${event}}]\n`;

describe("a request event", () => {
  test("is read with its id, its path, its query and its body, and is always settled", () => {
    const yaml = scenario(
      "kind: request, api: vpp-v1, id: v, method: DELETE, path: '/control/active_power/schedules?schedule_id=ab%20c&x=1', headers: {a: b}, body: {a: [1, {b: null}], t: 2026-04-01T00:00:00Z}",
    );
    expect(readScenarioYaml(yaml).world.events).toEqual([
      {
        kind: "request",
        atMs: Date.parse(AT),
        settled: true,
        api: "vpp-v1",
        id: hexId("vpp:v"),
        method: "DELETE",
        path: "/control/active_power/schedules",
        query: { schedule_id: "ab c", x: "1" },
        body: { a: [1, { b: null }], t: "2026-04-01T00:00:00Z" },
      },
    ]);
  });

  test("may name its VPP or site by id", () => {
    const [event] = readScenarioYaml(
      scenario(`kind: request, api: site-v2, id: ${hexId("site:b")}, method: GET, path: /status`),
    ).world.events;
    expect(event).toMatchObject({ id: hexId("site:b"), body: undefined, query: {} });
  });

  test.each([
    ["vpp-v1", "b", "the name or id of a VPP (v)"],
    ["site-v1", "v", "the name or id of a site (b)"],
  ])("of %s to %s is refused", (api, id, allowed) => {
    const errors = scenarioErrors(scenario(`kind: request, api: ${api}, id: ${id}, method: GET, path: /status`));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(allowed);
  });
});

test("the end of a fault names it by its place among those that began", () => {
  expect(readScenarioYaml(scenario("kind: fault_end, fault_id: fault-2, order: settled")).world.events).toEqual([
    { kind: "fault_end", atMs: Date.parse(AT), settled: true, faultId: "fault-2" },
  ]);
  expect(scenarioErrors(scenario("kind: fault_end, fault_id: fault-0"))[0]).toContain("events.0.fault_id");
});
