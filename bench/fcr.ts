/**
 * A day of a frequency of one value a second with batteries under one award of frequency response: the simulated world
 * and its books with energy records, without files.
 *
 *   npx tsx bench/fcr.ts [batteries] [runs]
 *
 * A step is one second of one battery. Time is the best run's; the hash is that of all energy records and of the award's
 * figures.
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import type { BlockSink, TableBlock } from "../src/accounting/recorders/tableBlock.ts";
import { hexId } from "../src/base/ids.ts";
import { MS_PER_DAY, MS_PER_HALF_HOUR } from "../src/base/time.ts";
import type { BatterySpec } from "../src/engine/device/battery/batterySpec.ts";
import type { WorldSpec } from "../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../src/engine/site/siteSpec.ts";
import { runWorld } from "../test/runWorld.ts";
import { unlimitedSite } from "./unlimitedSite.ts";

const START_MS = Date.UTC(2026, 3, 1);

export interface FcrRow {
  readonly batteries: number;
  readonly days: number;
  readonly events: number;
  readonly ms: number;
  /** First 16 hex digits of the SHA-256 of records and figures. */
  readonly hash: string;
}

/** Batteries of 1 MW and 2 MWh; every third has a ramp where `mixed`, every third a self-discharge and a taper. */
export function fcrWorld(count: number, days: number, mixed = false): WorldSpec {
  const endMs = START_MS + days * MS_PER_DAY;
  const sites = Array.from({ length: count }, (_, k) => siteOf(`battery-${k + 1}`, batteryOf(mixed ? k % 3 : 0)));
  return {
    startMs: START_MS,
    endMs,
    seed: 1,
    streamsFromMs: START_MS,
    sites,
    vpps: [
      {
        name: "east",
        vppId: hexId("vpp:east"),
        members: sites.map((_, site) => ({ site, label: "", resourceType: "battery", allocationWeight: 100 })),
        options: {
          deltaExcess: "uncovered",
          strictAvailabilityCheck: false,
          immediateOverridesSchedule: false,
          fcrEnergyTestMinutes: 0,
          pvSetpoint: "hold",
        },
      },
    ],
    awards: [
      {
        awardId: "A-1",
        vpp: 0,
        sku: "fcr",
        startMs: START_MS,
        endMs,
        registeredMs: START_MS,
        deltaKw: null,
        fcrResponseKw: 500 * count,
        compoundBreakdown: null,
        activation: 1,
        capacityPriceJpyPerKwHour: null,
        priceJpyPerKwh: null,
        penaltyJpyPerKwh: null,
      },
    ],
    instructions: [],
    events: [],
    frequencyHz: { meanHz: 50, sigmaHz: 0.02, timeConstantS: 120 },
    energyPriceJpyPerKwh: null,
  };
}

function batteryOf(kind: number): BatterySpec {
  return {
    kind: "battery",
    componentId: "bat",
    fcrCapable: true,
    ratedCapKwh: 2000,
    importMaxKw: 1000,
    exportMaxKw: 1000,
    socOpMinPct: 10,
    socOpMaxPct: 90,
    initialSocPct: 50,
    chargeEfficiency: 0.95,
    dischargeEfficiency: 0.95,
    selfDischargePctPerDay: kind === 2 ? 0.1 : 0,
    auxiliaryKw: 0,
    responseDelayMs: 0,
    rampKwPerS: kind === 1 ? 200 : null,
    powerTaper:
      kind === 2
        ? [
            { socPct: 80, importFraction: 1, exportFraction: 1 },
            { socPct: 90, importFraction: 0.2, exportFraction: 1 },
          ]
        : null,
  };
}

const siteOf = (name: string, component: BatterySpec): SiteSpec =>
  unlimitedSite(name, {
    components: [component],
    baseline: { method: "zero" },
    capability: { fcrCapable: true, drCapable: false, reverseFlowAllowed: true },
  });

/** Digests blocks instead of writing them. */
class DigestSink implements BlockSink {
  readonly hash = createHash("sha256");

  write(block: TableBlock): void {
    for (const column of block.columns)
      if (column.values instanceof Float64Array)
        this.hash.update(new Uint8Array(column.values.buffer, column.values.byteOffset, 8 * block.rowCount));
  }
}

export function run(count: number, days: number, runs: number, mixed = false): FcrRow {
  const spec = fcrWorld(count, days, mixed);
  let ms = Number.POSITIVE_INFINITY;
  let events = 0;
  let hash = "";
  for (let round = 0; round < runs; round++) {
    const energy = new DigestSink();
    const startedMs = performance.now();
    const { awards, eventCount } = runWorld(spec, { intervalMs: MS_PER_HALF_HOUR, energy });
    ms = Math.min(ms, performance.now() - startedMs);
    events = eventCount;
    hash = energy.hash.update(JSON.stringify(awards)).digest("hex").slice(0, 16);
  }
  return { batteries: count, days, events, ms, hash };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const count = Number(process.argv[2] ?? 100);
  const runs = Number(process.argv[3] ?? 3);
  for (const mixed of [false, true]) {
    const { ms, events, hash } = run(count, 1, runs, mixed);
    const perStep = (1e6 * ms) / (count * 86_400);
    const what = mixed ? "a third each plain, ramped, tapered and leaking" : "plain batteries";
    console.log(
      `${count} ${what}, 1 day: ${ms.toFixed(0)} ms, ${perStep.toFixed(0)} ns a step, ${events} events, ${hash}`,
    );
  }
}
