// Records of drawn worlds and fleets have the bytes that two independent engines gave them: one with objects for all sites, and one
// with flat loops for sites of one component, before one engine replaced both. A change of a digest is a change of results.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SimulationRun } from "../../src/accounting/simulationRun.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { IS_DEEP } from "../depth.ts";
import { FEATURES, type Feature, randomWorld } from "../reference/stepper/randomWorld.ts";
import { randomFleet } from "../study/randomFleet.ts";

const FIRST_SEED = 20_000;
const COUNT = IS_DEEP ? 200 : 20;

const RECORDINGS = [
  { intervalMs: 0, timelines: false, causes: false, rows: false },
  { intervalMs: 600_000, chronology: true },
];

/** All values, numbers with every digit. */
const textOf = (record: unknown): string =>
  JSON.stringify(record, (key, value) => {
    // The digests are older than this figure of an award.
    if (key === "deliveredSharePct") return undefined;
    if (typeof value === "number") return String(value);
    if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, String);
    return value instanceof Map ? [...value] : value;
  });

const digestOf = (draw: (seed: number) => WorldSpec): string => {
  const digest = createHash("sha256");
  for (let seed = FIRST_SEED; seed < FIRST_SEED + COUNT; seed++) {
    const spec = draw(seed);
    for (const recording of RECORDINGS) {
      const run = new SimulationRun(spec, recording);
      run.advanceToShare(1);
      digest.update(textOf(run.finish()));
    }
  }
  return digest.digest("hex").slice(0, 16);
};

/** Features that are younger than the digests. */
const YOUNG: readonly Feature[] = ["derate", "irradiance"];
const OLD_FEATURES = FEATURES.filter((feature) => !YOUNG.includes(feature));

test("worlds with every feature", () => {
  expect(digestOf((seed) => randomWorld(seed, OLD_FEATURES))).toBe(IS_DEEP ? "496a48c17eb4603c" : "4eef3d92ce594f03");
});

test("fleets of batteries, plants and loads", () => {
  expect(digestOf(randomFleet)).toBe(IS_DEEP ? "53cf9e794d323181" : "82a0c19065c1d7c9");
});
