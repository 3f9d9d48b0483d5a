// A site whose connection point is narrow is planned again and again while something moves there, a few times a second
// at most. Batteries on their ramps, at a limit that moves, were once planned every millisecond: such runs did not end.
import { expect, test } from "vitest";
import { ObserverList } from "../../../src/engine/simulation/observerList.ts";
import { World } from "../../../src/engine/simulation/world.ts";
import { featuredFcrWorld, randomFeatures } from "./fcrWorlds.ts";
import { HOURS } from "./steppedWorld.ts";

/** One a second in the mean, of what may be five a second for a while. */
const REPLANS_MAX = HOURS * 3600;

test.each([1243, 1313, 1319])("the site of seed %i is replanned no more often than something can change", (seed) => {
  const { spec } = featuredFcrWorld(seed, randomFeatures(seed));
  let looks = 0;
  const onSiteChange = () => {
    looks++;
    if (looks > REPLANS_MAX) throw new Error(`more than ${REPLANS_MAX} looks`);
  };
  const world = new World(spec, new ObserverList([{ onSiteChange }]));
  world.runBefore(spec.endMs);
  expect(looks).toBeGreaterThan(100);
});
