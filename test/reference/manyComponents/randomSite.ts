// Sites of several components, drawn from a seed.

import { RandomStreams } from "../../../src/engine/kernel/randomStreams.ts";
import type { ComponentSpec } from "../../../src/engine/site/components/registry.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import { battery, consumer, evenSeries, pv, site, thermal } from "../stepper/build.ts";

export interface RandomDraw {
  /** Whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  chance(share: number): boolean;
}

export function createRandomDraw(seed: number): RandomDraw {
  const stream = new RandomStreams(seed).getStream("many parts", "test");
  const integer = (low: number, high: number) => low + Math.floor(stream.nextUniform() * (high - low + 1));
  return { integer, chance: (share) => stream.nextUniform() < share };
}

const HOURS = 6;

/** A site over six hours: one to three batteries, up to two PV plants, up to two loads, sometimes a plant; not one alone. */
export function randomSite(seed: number, name = "m"): SiteSpec {
  const draw = createRandomDraw(seed);
  const interpolation = draw.chance(0.4) ? "linear" : "step";
  const wave = (id: string, most: number) => {
    const minutes = draw.chance(0.5) ? 30 : 15;
    const values = Array.from({ length: (60 / minutes) * (HOURS + 1) }, () =>
      draw.chance(0.2) ? 0 : draw.integer(0, most),
    );
    return evenSeries(id, minutes, values, interpolation);
  };
  const components: ComponentSpec[] = [];
  const track = draw.chance(0.5);
  for (let k = draw.integer(draw.chance(0.8) ? 1 : 0, 2); k > 0; k--)
    components.push(
      battery({
        componentId: `bat${k}`,
        ratedCapKwh: draw.integer(50, 400),
        importMaxKw: draw.integer(20, 200),
        exportMaxKw: draw.integer(20, 200),
        initialSocPct: draw.integer(10, 90),
        chargeEfficiency: draw.integer(80, 100) / 100,
        dischargeEfficiency: draw.integer(80, 100) / 100,
        auxiliaryKw: draw.chance(0.3) ? draw.integer(1, 5) : 0,
      }),
    );
  for (let k = draw.integer(0, 2); k > 0; k--)
    components.push(
      pv(wave(`sun${k}`, 250), {
        componentId: `pv${k}`,
        ratedOutputKw: draw.integer(100, 250),
        subsidy: draw.chance(0.3) ? "fit" : draw.chance(0.3) ? "fip" : "none",
      }),
    );
  for (let k = draw.integer(components.length === 0 ? 2 : 1, 2); k > 0; k--)
    components.push(
      consumer(wave(`load${k}`, 200), {
        componentId: `load${k}`,
        maxDemandKw: 180,
        drCapable: draw.chance(0.6),
        maxDrReductionKw: 60,
      }),
    );
  if (draw.chance(0.25)) components.push(thermal({ componentId: "gas", ratedOutputKw: draw.integer(30, 90) }));
  if (components.length < 2) components.push(thermal({ componentId: "gas2", ratedOutputKw: 50 }));
  const made = site(name, components[0]);
  const drCapable = components.some((component) => component.kind === "consumer" && component.drCapable);
  return {
    ...made,
    components,
    control: track ? "track" : "open",
    capability: { ...made.capability, drCapable, reverseFlowAllowed: draw.chance(0.5), balancingResponsible: true },
    constraints: {
      ...made.constraints,
      siteExportMaxKw: draw.chance(0.4) ? draw.integer(50, 250) : Number.POSITIVE_INFINITY,
      siteImportMaxKw: draw.chance(0.4) ? draw.integer(150, 400) : Number.POSITIVE_INFINITY,
    },
    baseline: draw.chance(0.5) ? { method: "perfect" } : { method: "constant", kw: draw.integer(0, 150) },
  };
}

/** The site with limits of its connection point that change every half hour or so (docs/model/connection-point.md#limits-by-time). */
export function withLimitsByTime(given: SiteSpec, seed: number): SiteSpec {
  const draw = createRandomDraw(seed + 3_000_000);
  const limit = (name: string, low: number, high: number) => {
    const minutes = [10, 30, 45][draw.integer(0, 2)];
    const count = Math.ceil((60 * (HOURS + 1)) / minutes);
    return evenSeries(
      name,
      minutes,
      Array.from({ length: count }, () => draw.integer(low, high)),
    );
  };
  const constraints = {
    ...given.constraints,
    siteExportMaxKw: limit("export limit", 0, 250),
    siteImportMaxKw: limit("import limit", 50, 400),
  };
  return { ...given, constraints, capability: { ...given.capability, reverseFlowAllowed: true } };
}

/** Six hours of awards for one site: a delta every half hour or so, and pauses. */
export function randomAwards(seed: number): string[] {
  const draw = createRandomDraw(seed + 1_000_000);
  const lines: string[] = [];
  for (let minute = 0; minute < HOURS * 60; ) {
    const length = draw.integer(1, 6) * 15;
    const end = Math.min(minute + length, HOURS * 60);
    if (draw.chance(0.7)) lines.push(`${clock(minute)}-${clock(end)} ${draw.integer(-250, 200)}`);
    minute = end;
  }
  return lines;
}

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
