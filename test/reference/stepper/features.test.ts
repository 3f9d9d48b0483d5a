import { expect, test } from "vitest";
import { FEATURES, type Feature, randomWorld } from "./randomWorld.ts";

test("switching one feature off leaves the number of sites, their ratings and the awards' times alone", () => {
  const shapeOf = (features: readonly Feature[]) => {
    const { sites, awards, endMs } = randomWorld(7, features);
    return { endMs, names: sites.map(({ name }) => name), times: awards.map(({ startMs, endMs }) => [startMs, endMs]) };
  };
  for (const feature of ["ramp", "taper", "sku", "rebound", "outages", "grid_limit"] as const) {
    expect(shapeOf(FEATURES.filter((other) => other !== feature))).toEqual(shapeOf(FEATURES));
  }
});
