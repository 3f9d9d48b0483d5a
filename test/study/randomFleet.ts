// Fleets with everything that a scenario can hold, drawn from a seed: what the bound has to hold on.
import type { Sku } from "../../src/base/sku.ts";
import type { BatterySpec } from "../../src/engine/device/battery/batterySpec.ts";
import type { ScenarioEvent, WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import type { AwardSpec, InstructionSpec } from "../../src/engine/vpp/instructions/instructionSpec.ts";
import { resourceTypeOf } from "../../src/engine/vpp/vppSpec.ts";
import { createRandomDraw, type RandomDraw, randomSite } from "../reference/manyComponents/randomSite.ts";
import {
  award,
  battery,
  consumer,
  evenSeries,
  instruction,
  pumped,
  pv,
  site,
  T0,
  thermal,
  vpp,
  world,
} from "../simulation/smallWorld.ts";

const MINUTE = 60_000;
const HOURS = 6;
const END = T0 + HOURS * 60 * MINUTE;

const oneOf = <const T extends readonly unknown[]>(draw: RandomDraw, ...choices: T): T[number] =>
  choices[draw.integer(0, choices.length - 1)];
const partWithChance = <T extends object>(draw: RandomDraw, share: number, part: () => T): T | object =>
  draw.chance(share) ? part() : {};

/** Two to five sites, one or two VPPs, two to seven awards, and whatever may befall them, in six hours. */
export function randomFleet(seed: number): WorldSpec {
  const draw = createRandomDraw(seed + 7_000_000);
  // Half of the fleets are plain batteries, where the bound is tight and a mistake in it shows.
  const odd = draw.chance(0.5) ? 0.6 : 0.12;
  const sites = Array.from({ length: draw.integer(1, 4) }, (_, k) =>
    randomBatterySite(draw, seed * 10 + k, `s${k}`, odd),
  );
  const second = draw.chance(0.15) && sites.length > 1;
  const options = {
    deltaExcess: oneOf(draw, "uncovered" as const, "redistribute" as const),
    pvSetpoint: oneOf(draw, "hold" as const, "follow" as const),
    immediateOverridesSchedule: draw.chance(0.2),
    fcrEnergyTestMinutes: oneOf(draw, 0, 15),
  };
  const members = (from: number, to: number) =>
    sites.slice(from, to).map((_, k) => [from + k, draw.integer(0, 9)] as const);
  const split = second ? 1 : sites.length;
  const vpps = [vpp("east", sites, members(0, split), options)];
  if (second) vpps.push(vpp("west", sites, members(split, sites.length), options));
  const plainAwards = awards(draw, vpps.length, odd);
  return world(sites, {
    seed,
    vpps,
    awards: plainAwards,
    instructions: draw.chance(odd / 2) ? [randomInstruction(draw, vpps.length)] : [],
    events: [...weightEvents(draw, plainAwards, sites.length), ...randomEvents(draw, sites, vpps.length, odd)],
    endMs: END - oneOf(draw, 0, 0, 0, 10, 45) * MINUTE,
    frequencyHz: draw.chance(0.5) ? 50 : { meanHz: 50, sigmaHz: 0.1, timeConstantS: 300 },
  });
}

function randomBatterySite(draw: RandomDraw, seed: number, name: string, odd: number): SiteSpec {
  const outages = draw.chance(0.35) ? { meanUpMs: 240 * MINUTE, meanRepairMs: 20 * MINUTE } : null;
  if (draw.chance(odd / 3)) return { ...randomSite(seed, name), outages };
  const made = draw.chance(odd / 2) ? randomOtherSite(draw, name) : site(name, randomBattery(draw, odd));
  return {
    ...made,
    outages,
    link: {
      lossProbability: draw.chance(odd / 4) ? 0.5 : 0,
      latencyMs: draw.chance(odd / 4) ? draw.integer(1, 40) * 10_000 : 0,
    },
    capability: {
      ...made.capability,
      fcrCapable: draw.chance(0.5),
      ...partWithChance(draw, odd / 4, () => ({ reverseFlowAllowed: false })),
      ...partWithChance(draw, odd / 5, () => ({ marketable: ["frr", "fcr"] as Sku[] })),
    },
    constraints: {
      ...made.constraints,
      ...partWithChance(draw, odd / 2, () => ({ siteExportMaxKw: draw.integer(1, 40) * 10 })),
      ...partWithChance(draw, odd / 2, () => ({ siteImportMaxKw: draw.integer(1, 40) * 10 })),
    },
    maintenance: draw.chance(odd / 4) ? [{ startMs: T0 + 70 * MINUTE, endMs: T0 + 100 * MINUTE }] : [],
  };
}

function randomBattery(draw: RandomDraw, odd: number): BatterySpec {
  const kw = draw.integer(1, 40) * 10;
  return battery({
    fcrCapable: true,
    ratedCapKwh: oneOf(draw, 50, 100, 300, 1000),
    importMaxKw: kw,
    exportMaxKw: oneOf(draw, kw, Math.ceil(kw * 0.7)),
    socOpMinPct: oneOf(draw, 0, 10, 30),
    socOpMaxPct: oneOf(draw, 70, 90, 100),
    initialSocPct: oneOf(draw, 0, 10, 40, 50, 60, 95, 100),
    chargeEfficiency: oneOf(draw, 1, 0.95, 0.7),
    dischargeEfficiency: oneOf(draw, 1, 0.95, 0.8),
    ...partWithChance(draw, odd / 3, () => ({ auxiliaryKw: draw.integer(1, 60) })),
    ...partWithChance(draw, odd / 5, () => ({ rampKwPerS: oneOf(draw, 0.05, 0.5) })),
    ...partWithChance(draw, odd / 5, () => ({ responseDelayMs: oneOf(draw, 1_000, 900_000) })),
    ...partWithChance(draw, odd / 5, () => ({ selfDischargePctPerDay: 60 })),
    ...partWithChance(draw, odd / 4, () => ({
      powerTaper: [
        { socPct: 20, importFraction: 1, exportFraction: 0.2 },
        { socPct: 80, importFraction: 0.3, exportFraction: 1 },
      ],
    })),
  });
}

function randomOtherSite(draw: RandomDraw, name: string): SiteSpec {
  const kw = draw.integer(1, 40) * 10;
  const wave = (low: number, high: number) =>
    evenSeries(
      "w",
      20,
      Array.from({ length: 3 * (HOURS + 1) }, () => draw.integer(low, high)),
      oneOf(draw, "step", "linear"),
    );
  const plan = () => ({
    baseline: {
      method: "series" as const,
      plan: evenSeries(
        "p",
        30,
        Array.from({ length: 14 }, () => draw.integer(-kw, kw)),
      ),
    },
  });
  switch (draw.integer(0, 4)) {
    case 0:
      return site(
        name,
        pv(wave(0, 300), { ratedOutputKw: 200, subsidy: oneOf(draw, "fit", "fip", "none") }),
        partWithChance(draw, 0.3, () => ({ baseline: { method: "constant" as const, kw: -100 } })),
      );
    case 1:
      return site(
        name,
        consumer(wave(50, 500), {
          maxDrReductionKw: kw,
          minDrReductionKw: oneOf(draw, 0, 50),
          control: oneOf(draw, "drop_by", "track"),
          reboundFraction: oneOf(draw, 0, 0.5),
          reboundMs: 30 * MINUTE,
          maxDemandKw: oneOf(draw, 300, 3000),
        }),
        { baseline: oneOf(draw, { method: "perfect" as const }, { method: "constant" as const, kw: 300 }) },
      );
    case 2:
      return site(
        name,
        thermal({ ratedOutputKw: kw, minOutputKw: oneOf(draw, 0, kw / 2), rampKwPerMin: oneOf(draw, null, 5) }),
        {
          baseline: { method: "constant", kw: -kw / 2 },
        },
      );
    case 3:
      return site(
        name,
        pumped({ capacityKwh: 300, pumpMaxKw: kw }, { ratedOutputKw: kw }),
        partWithChance(draw, 0.4, plan),
      );
    default:
      return site(name, randomBattery(draw, 0.3), plan());
  }
}

function awards(draw: RandomDraw, vpps: number, odd: number): AwardSpec[] {
  const found: AwardSpec[] = [];
  let minute: number = oneOf(draw, 0, 10);
  for (let k = draw.integer(2, 7); k > 0 && minute < HOURS * 60 - 30; k--) {
    const start = Math.max(0, minute + oneOf(draw, 0, 0, 0, 10, 30, draw.chance(odd) ? -10 : 0));
    minute = Math.min(HOURS * 60, start + oneOf(draw, 17, 30, 60, 90));
    const delta = oneOf(draw, -1, 1) * draw.integer(1, 900);
    const isFcr = draw.chance(odd / 4);
    const isCompound = !isFcr && draw.chance(odd / 6);
    found.push(
      award(`A${found.length + 1}`, [T0 + start * MINUTE, T0 + minute * MINUTE], isFcr ? 0 : delta, {
        vpp: draw.integer(0, vpps - 1),
        sku: isFcr ? "fcr" : isCompound ? "compound" : oneOf(draw, "frr", "frr", "rr", "exchange-da", null),
        ...(isFcr ? { deltaKw: null, fcrResponseKw: draw.integer(1, 300) } : {}),
        ...(isCompound ? { fcrResponseKw: draw.integer(1, 100) } : {}),
        activation: draw.chance(odd / 3)
          ? oneOf(
              draw,
              0.5,
              0,
              evenSeries(
                "a",
                15,
                Array.from({ length: 4 * HOURS + 4 }, () => draw.integer(0, 10) / 10),
              ),
            )
          : 1,
      }),
    );
  }
  return found;
}

const randomInstruction = (draw: RandomDraw, vpps: number): InstructionSpec =>
  instruction("I1", T0 + draw.integer(1, 300) * MINUTE, draw.integer(5, 60), draw.integer(-300, 300), {
    vpp: draw.integer(0, vpps - 1),
  });

/** New weights right before every award. */
const weightEvents = (draw: RandomDraw, all: readonly AwardSpec[], sites: number): ScenarioEvent[] =>
  all.flatMap(({ startMs, vpp: index }) =>
    Array.from({ length: sites }, (_, k) => ({
      kind: "set_weight" as const,
      atMs: startMs,
      settled: false,
      vpp: index,
      site: k,
      allocationWeight: draw.chance(0.2) ? 0 : draw.integer(0, 100),
    })),
  );

function randomEvents(draw: RandomDraw, sites: readonly SiteSpec[], vpps: number, odd: number): ScenarioEvent[] {
  const found: ScenarioEvent[] = [];
  const index = () => draw.integer(0, sites.length - 1);
  const base = () => {
    const atMs = T0 + draw.integer(0, 340 * 60) * 1000;
    return {
      atMs,
      settled: false,
      untilMs: draw.chance(0.2) ? Number.POSITIVE_INFINITY : atMs + draw.integer(1, 60) * MINUTE,
    };
  };
  const during = base();
  if (draw.chance(0.4)) found.push({ ...during, kind: oneOf(draw, "outage", "outage", "maintenance"), site: index() });
  // Ends the event before it, if that is the first one and still lasts.
  if (found.length === 1 && draw.chance(0.3))
    found.push({
      kind: "fault_end",
      atMs: during.atMs + draw.integer(0, 30) * MINUTE,
      settled: true,
      faultId: "fault-1",
    });
  if (draw.chance(odd / 3)) found.push({ ...base(), kind: "link_down", site: index() });
  if (draw.chance(odd / 3))
    found.push({ ...base(), kind: "output_control", site: index(), limitPct: draw.integer(0, 100), reason: "manual" });
  if (draw.chance(odd / 4)) found.push({ ...base(), kind: "warning", site: index() });
  if (draw.chance(odd / 4)) {
    const { atMs } = base();
    found.push({
      kind: "direct_schedule",
      atMs,
      settled: false,
      site: index(),
      startMs: atMs + 2 * MINUTE,
      endMs: atMs + 40 * MINUTE,
      deltaKw: draw.integer(-200, 200),
    });
  }
  if (draw.chance(odd / 3)) {
    const { atMs } = base();
    const moved = index();
    const from = vpps > 1 && moved > 0 ? 1 : 0;
    found.push({ kind: "remove_member", atMs, settled: false, vpp: from, site: moved });
    if (draw.chance(0.6))
      found.push({
        kind: "add_member",
        atMs: atMs + draw.integer(0, 60) * MINUTE,
        settled: false,
        vpp: draw.integer(0, vpps - 1),
        site: moved,
        resourceType: resourceTypeOf(sites[moved].components),
        allocationWeight: draw.integer(0, 50),
        label: "",
      });
  }
  return found;
}
