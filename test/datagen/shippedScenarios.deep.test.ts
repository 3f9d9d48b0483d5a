// What takes seconds of the shipped scenarios: the week of all products, and the size of the year.
import { describe, expect, test } from "vitest";
import type { Sku } from "../../src/base/sku.ts";
import type { GeneratedFiles } from "../../src/inputs/datagen/disk/writeFiles.ts";
import { fleetFiles } from "../../src/inputs/datagen/fleetFiles.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runWorld } from "../runWorld.ts";

const MIXED_WEEK = new URL("../../scenarios/mixed-week/scenario.yaml", import.meta.url).pathname;

describe("mixed-week", () => {
  const { world, report, warnings } = loadScenario(MIXED_WEEK);
  const record = runWorld(world, { intervalMs: report.intervalMs, timelines: false });

  test("has no warnings", () => expect(warnings).toEqual([]));

  test("sells every product, and runs all of them except awards that an hour-ahead sale replaces", () => {
    const skus = new Set(record.awards.map(({ sku }) => sku));
    const products = ["fcr", "frr", "rr", "rr-fit", "compound", "exchange-da", "exchange-ttv", "negawatt-spot"];
    for (const sku of products) expect(skus.has(sku as Sku), sku).toBe(true);
    const unfinished = record.awards.filter(({ state }) => state !== "completed");
    expect(unfinished.map(({ sku, state }) => `${sku} ${state}`)).toEqual(Array(6).fill("exchange-da overwritten"));
  });

  test("curtails on the sunny weekend by reason, and reduces loads", () => {
    const of = (name: string) => record.sites.find(({ site }) => site === name)!;
    expect(of("solar-fit").fitCurtailedKwh).toBeGreaterThan(1000);
    expect(of("solar-fip").nonFirmCurtailedKwh).toBeGreaterThan(500);
    expect(of("foundry").drDeliveredKwh).toBeGreaterThan(1000);
    expect(of("campus").throughputKwh).toBeGreaterThan(1000);
  });
});

const textOf = (files: GeneratedFiles, name: string): string => Buffer.from(files.get(name) ?? "").toString();
const lineCount = (files: GeneratedFiles, name: string) => textOf(files, name).split("\n").length - 1;

test("fleet-year has the size of the canonical workload, and begins with fleet-week", () => {
  const year = fleetFiles("fleet-year", 365);
  expect(lineCount(year, "pv.csv")).toBe(1 + 525_600);
  expect(lineCount(year, "load.csv")).toBe(1 + 17_520);
  expect(lineCount(year, "awards.csv")).toBe(1 + 17_520);
  expect(lineCount(year, "events.csv")).toBe(1 + 1_484);
  const week = fleetFiles("fleet-week", 7);
  for (const name of ["pv.csv", "load.csv", "awards.csv"])
    expect(textOf(year, name).startsWith(textOf(week, name)), name).toBe(true);
});
