// Records of drawn worlds and fleets have known bytes, with every digit. A change of a digest is a change of results, or of what a
// record has.
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
  JSON.stringify(record, (_, value) => {
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
const YOUNG: readonly Feature[] = ["derate", "irradiance", "fcr_form", "delivery_ratio", "baseline_error"];
const OLD_FEATURES = FEATURES.filter((feature) => !YOUNG.includes(feature));

test("worlds with every feature", () => {
  expect(digestOf((seed) => randomWorld(seed, OLD_FEATURES))).toBe(IS_DEEP ? "f70c46347a80363b" : "6e4900a9960482a4");
});

test("fleets of batteries, plants and loads", () => {
  expect(digestOf(randomFleet)).toBe(IS_DEEP ? "4d56dafe6e3441f7" : "e7543466a7894190");
});
