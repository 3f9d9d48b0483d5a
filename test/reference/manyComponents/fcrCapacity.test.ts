// Sites of several components that hold FCR capacity beside deltas: what a fifth of a second at a time
// gives, by component and path, and what the response has moved.
import { expect, test } from "vitest";
import { runs, seedsFrom } from "../../depth.ts";
import { constrainedFcrWorld, type FcrWorld, featuredFcrWorld, randomFeatures, simpleFcrWorld } from "./fcrWorlds.ts";
import { compareSteps, HOURS } from "./steppedWorld.ts";

for (const seed of seedsFrom(1, runs(15, 0)))
  test(`site of seed ${seed}: paths and response of a site with FCR capacity are what small steps give`, () => {
    check(simpleFcrWorld(seed));
  });

// Beyond the first ones: worlds that once differed. A fast battery was cut in favour of a slow one that did not use its part of the
// headroom (131); the stepper forgot the set-point of a full battery (1112).
for (const seed of [...seedsFrom(101, runs(15, 0)), 131, 1112]) {
  const on = randomFeatures(seed);
  test(`site of seed ${seed} with ${[...on].join(", ")}: what small steps give`, () => {
    check(featuredFcrWorld(seed, on));
  });
}

for (const seed of seedsFrom(201, runs(10, 1))) {
  const on = randomFeatures(seed);
  test(`site of seed ${seed} with ${[...on].join(", ")} at a connection point of any limits: what small steps give`, () => {
    check(constrainedFcrWorld(seed, on));
  });
}

function check({ spec, frequencyHz, events }: FcrWorld): void {
  const { ran, differences, moved, stepped } = compareSteps(spec, frequencyHz, events);
  expect(differences).toEqual([]);
  // A twentieth of a kWh a record, as everywhere.
  expect(Math.abs(moved[0] - stepped[0])).toBeLessThan(0.05 * 2 * HOURS);
  expect(Math.abs(moved[1] - stepped[1])).toBeLessThan(0.05 * 2 * HOURS);
  const capacitiesKw = ran.dispatch.map((row) => Number(row.fcr_response_kw ?? 0));
  if (Math.max(0, ...capacitiesKw) > 5) expect(stepped[0] + stepped[1]).toBeGreaterThan(0.5);
}
