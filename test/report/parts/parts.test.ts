import { describe, expect, test } from "vitest";
import { divideWorld, worldOfPart } from "../../../src/engine/simulation/worldParts.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import { readWorldMessage } from "../../../src/report/parts/worldMessage.ts";
import { runs, seedsFrom } from "../../depth.ts";
import { randomWorld } from "../../reference/stepper/randomWorld.ts";
import { batterySites, parseAwards, vpp, world } from "../../simulation/smallWorld.ts";
import { joinWorlds } from "./joinedWorld.ts";
import { comparable, runDivided, runWhole } from "./runBothWays.ts";

describe("the parts of a world", () => {
  const sites = batterySites(100, 100, 100, 100, 100);
  const east = vpp("east", sites, [[0, 100]]);
  const west = vpp("west", sites, [[1, 100]]);
  const south = vpp("south", sites, [[2, 100]]);
  const partsOf = (given: Partial<WorldSpec>, sitesMin = 1) =>
    divideWorld(world(sites, { vpps: [east, west, south], ...given }), sitesMin).map((part) => part.vpps);

  test("are VPPs that share no site", () => {
    expect(partsOf({})).toEqual([[0], [1], [2]]);
    const shared = vpp("south", sites, [
      [0, 100],
      [2, 100],
    ]);
    expect(partsOf({ vpps: [east, west, shared] })).toEqual([[0, 2], [1]]);
  });

  test("have VPPs together that share a site later", () => {
    const event = { atMs: 0, settled: false, resourceType: "battery", allocationWeight: 1, label: "" } as const;
    expect(partsOf({ events: [{ ...event, kind: "add_member", vpp: 2, site: 1 }] })).toEqual([[0], [1, 2]]);
  });

  test("have neighbours together up to a number of sites", () => expect(partsOf({}, 2)).toEqual([[0, 1], [2]]));

  test("are one where an event names something of any part", () => {
    const event = { atMs: 0, settled: true, kind: "fault_end", faultId: "f" } as const;
    expect(partsOf({ events: [event] })).toEqual([[0, 1, 2]]);
  });

  test("hold sites without a VPP in the last one, and their own awards and events", () => {
    const awards = parseAwards("00:00-00:30 -10", "00:30-01:00 -10").map((award, k) => ({ ...award, vpp: k }));
    const spec = world(sites, {
      vpps: [east, west],
      awards,
      events: [{ kind: "warning", atMs: 0, settled: false, site: 1, untilMs: 1 }],
    });
    const parts = divideWorld(spec, 1);
    expect(parts.map((part) => part.sites)).toEqual([[0], [1, 2, 3, 4]]);
    const second = worldOfPart(spec, parts[1]);
    expect(second.awards.map(({ awardId, vpp }) => [awardId, vpp])).toEqual([["A2", 0]]);
    expect(second.events.map((event) => "site" in event && event.site)).toEqual([0]);
    expect(second.vpps[0].members.map(({ site }) => site)).toEqual([0]);
  });
});

describe("a run in parts", () => {
  test("gives the tables and the record of the whole run, in any number of windows", async () => {
    for (const seed of seedsFrom(1, runs(40, 3))) {
      const spec = joinWorlds([randomWorld(3 * seed), randomWorld(3 * seed + 1), randomWorld(3 * seed + 2)]);
      expect(divideWorld(spec, 1).length, `seed ${seed}`).toBeGreaterThan(2);
      const whole = comparable(runWhole(spec));
      for (const windows of [1, 3, 0])
        expect(comparable(await runDivided(spec, windows)), `seed ${seed}, ${windows} windows`).toEqual(whole);
    }
  });

  test("is the same after a world has been sent to a thread", () => {
    const spec = randomWorld(5);
    const received = readWorldMessage(structuredClone(spec));
    expect(received).toEqual(spec);
    expect(runWhole(received)).toEqual(runWhole(spec));
  });
});
