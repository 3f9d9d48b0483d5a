/**
 * Sites of three components each, a battery, a PV plant and a load, over a year of half-hour series and half-hour awards
 * that are all registered at the start: the simulated world and its books with energy records, without files.
 *
 *   npx tsx bench/multiFleet.ts [sites] [days]
 *
 * Every other site may not export. Time is processor time; the hash is that of all energy records and key figures.
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import type { BlockSink, TableBlock } from "../src/accounting/recorders/tableBlock.ts";
import { hexId } from "../src/base/ids.ts";
import { MS_PER_DAY, MS_PER_HALF_HOUR } from "../src/base/time.ts";
import { Series } from "../src/engine/series/model/series.ts";
import type { WorldSpec } from "../src/engine/simulation/worldSpec.ts";
import type { ComponentSpec } from "../src/engine/site/components/registry.ts";
import type { SiteSpec } from "../src/engine/site/siteSpec.ts";
import type { AwardSpec } from "../src/engine/vpp/instructions/instructionSpec.ts";
import { runWorld } from "../test/runWorld.ts";
import { unlimitedSite } from "./unlimitedSite.ts";

const START_MS = Date.UTC(2026, 3, 1);
const HALF_HOURS_A_DAY = MS_PER_DAY / MS_PER_HALF_HOUR;

export interface MultiFleetRow {
  readonly sites: number;
  readonly days: number;
  readonly events: number;
  readonly cpuMs: number;
  /** First 16 hex digits of the SHA-256 of records and figures. */
  readonly hash: string;
}

export function run(siteCount: number, days: number): MultiFleetRow {
  const spec = multiFleetWorld(siteCount, days);
  const hash = createHash("sha256");
  const energy: BlockSink = {
    write({ columns, rowCount }: TableBlock) {
      for (const column of columns)
        if (column.kind === "thousandths") hash.update(Float64Array.from(column.values.subarray(0, rowCount)));
    },
  };
  const before = process.cpuUsage();
  const record = runWorld(spec, { intervalMs: MS_PER_HALF_HOUR, energy, timelines: false });
  const { user, system } = process.cpuUsage(before);
  hash.update(JSON.stringify([...record.kpis]));
  return {
    sites: siteCount,
    days,
    events: record.eventCount,
    cpuMs: (user + system) / 1000,
    hash: hash.digest("hex").slice(0, 16),
  };
}

export function multiFleetWorld(siteCount: number, days: number): WorldSpec {
  const sites = Array.from({ length: siteCount }, (_, n) => siteOf(n, days));
  return {
    startMs: START_MS,
    endMs: START_MS + days * MS_PER_DAY,
    seed: 1,
    streamsFromMs: START_MS,
    sites,
    vpps: [
      {
        name: "east",
        vppId: hexId("vpp:east"),
        members: sites.map((_, site) => ({ site, label: "", resourceType: "multi_component", allocationWeight: 100 })),
        options: {
          deltaExcess: "uncovered",
          strictAvailabilityCheck: false,
          immediateOverridesSchedule: false,
          fcrEnergyTestMinutes: 0,
          pvSetpoint: "hold",
        },
      },
    ],
    awards: Array.from({ length: days * HALF_HOURS_A_DAY }, (_, k) => awardOf(k, siteCount)),
    instructions: [],
    events: [],
    frequencyHz: 50,
    energyPriceJpyPerKwh: null,
  };
}

/** By turns discharging, nothing, charging, nothing, of 10 kW a site. */
function awardOf(k: number, siteCount: number): AwardSpec {
  return {
    awardId: `A-${k + 1}`,
    vpp: 0,
    sku: null,
    startMs: START_MS + k * MS_PER_HALF_HOUR,
    endMs: START_MS + (k + 1) * MS_PER_HALF_HOUR,
    registeredMs: START_MS,
    deltaKw: [-10, 0, 10, 0][k % 4] * siteCount,
    fcrResponseKw: null,
    compoundBreakdown: null,
    activation: 1,
    capacityPriceJpyPerKwHour: null,
    priceJpyPerKwh: null,
    penaltyJpyPerKwh: null,
  };
}

const siteOf = (n: number, days: number): SiteSpec =>
  unlimitedSite(`site-${n + 1}`, {
    components: componentsOf(n, days),
    baseline: { method: "perfect" },
    capability: { fcrCapable: false, drCapable: true, reverseFlowAllowed: n % 2 === 0 },
  });

function componentsOf(n: number, days: number): readonly ComponentSpec[] {
  const sunKw = (k: number) => 90 * triangle(k % HALF_HOURS_A_DAY) + ((7 * k + n) % 11);
  return [
    {
      kind: "battery",
      componentId: "bat",
      fcrCapable: false,
      ratedCapKwh: 200,
      importMaxKw: 50,
      exportMaxKw: 50,
      socOpMinPct: 10,
      socOpMaxPct: 90,
      initialSocPct: 50,
      chargeEfficiency: 0.95,
      dischargeEfficiency: 0.95,
      selfDischargePctPerDay: 0,
      auxiliaryKw: 0,
      responseDelayMs: 0,
      rampKwPerS: null,
      powerTaper: null,
    },
    {
      kind: "generator",
      componentId: "pv",
      generatorKind: "pv",
      fcrCapable: false,
      subsidy: "none",
      ratedOutputKw: 1000,
      pvCapacityKw: 1200,
      generationKw: halfHours("sun", days, sunKw),
      irradianceWm2: null,
    },
    {
      kind: "consumer",
      componentId: "plant",
      consumerKind: "factory",
      fcrCapable: false,
      contractKw: 3000,
      maxDemandKw: 3000,
      drCapable: true,
      minDrReductionKw: 0,
      maxDrReductionKw: 400,
      minDrDurationMs: 0,
      minDrCooldownMs: 0,
      loadKw: halfHours("load", days, (k) => 40 + ((13 * k + 5 * n) % 60)),
      responseDelayMs: 0,
      rampKwPerS: null,
      reboundFraction: 0,
      reboundMs: 0,
      control: "drop_by",
    },
  ];
}

/** 0 at night, rising from 06:00 to 1 at noon and falling till 18:00. Sines may differ between engines. */
const triangle = (slot: number): number => Math.max(0, 1 - Math.abs(slot - 24) / 12);

function halfHours(name: string, days: number, kw: (slot: number) => number): Series {
  const timesMs = Float64Array.from({ length: days * HALF_HOURS_A_DAY + 1 }, (_, k) => START_MS + k * MS_PER_HALF_HOUR);
  const untilMs = timesMs[timesMs.length - 1] + MS_PER_HALF_HOUR;
  return new Series(
    name,
    timesMs,
    timesMs.map((_, k) => kw(k)),
    "step",
    untilMs,
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [sites = 100, days = 365] = process.argv.slice(2).map(Number);
  const { events, cpuMs, hash } = run(sites, days);
  console.log(`${sites} sites of three components, ${days} days, ${events} events`);
  console.log(`${(cpuMs / 1000).toFixed(2)} s of processor time, answer ${hash}`);
}
