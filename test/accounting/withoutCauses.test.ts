import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { createRequestHandler } from "../../src/report/createRequestHandler.ts";
import { runWorld } from "../runWorld.ts";

const FEATURES = new URL("../../scenarios/features/", import.meta.url).pathname;
const FILES = readdirSync(FEATURES).filter((file) => file.endsWith(".yaml"));

test.each(FILES)("%s: key figures are the same with and without causes", async (file) => {
  const { world } = loadScenario(`${FEATURES}${file}`);
  const options = { intervalMs: 1, timelines: false, ...(await createRequestHandler(world)) };
  const kept = runWorld(world, options);
  const left = runWorld(world, { ...options, causes: false });
  expect([...left.kpis]).toEqual([...kept.kpis]);
  for (const { shortfallByCauseKwh, topContributors } of left.awards) {
    expect(shortfallByCauseKwh.every((kwh) => kwh === 0)).toBe(true);
    expect(topContributors).toEqual([]);
  }
});
