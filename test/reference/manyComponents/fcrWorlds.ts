// Worlds of one site of several components that holds FCR capacity beside deltas, drawn from a seed.
import type { Series } from "../../../src/engine/series/model/series.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import { eastVpp, parseAwards, pumped, world } from "../../simulation/smallWorld.ts";
import { evenSeries } from "../stepper/build.ts";
import { createRandomDraw, randomAwards, randomSite } from "./randomSite.ts";
import { END, HOURS, worldEvents } from "./steppedWorld.ts";

const FEATURES = ["linear", "compound", "taper", "ramp", "pumped", "outage", "warning", "narrow"] as const;
export type Feature = (typeof FEATURES)[number];

/** A world for both, and what happens in it as the stepper reads it. */
export interface FcrWorld {
  readonly spec: WorldSpec;
  readonly frequencyHz: Series;
  readonly events: readonly string[];
}

/** Batteries that hold FCR capacity, and nothing that would be hard. */
export function simpleFcrWorld(seed: number): FcrWorld {
  const events = seed % 3 === 0 ? ["fcr_fault 02:10-02:40"] : [];
  const awards = [`00:30-05:00 ~${20 + 7 * (seed % 9)} fcr`, ...randomAwards(seed).map((line) => `${line} rr`)];
  return worldOf(capableSite(seed), awards, frequency(seed), events);
}

export function randomFeatures(seed: number): ReadonlySet<Feature> {
  const draw = createRandomDraw(seed + 5_000_000);
  return new Set(FEATURES.filter(() => draw.chance(0.4)));
}

/** The same with what else such a site may have. */
export function featuredFcrWorld(seed: number, on: ReadonlySet<Feature>): FcrWorld {
  const events: string[] = [];
  if (on.has("outage")) events.push("outage 02:10:20-02:40");
  if (on.has("warning")) events.push("warning 01:10-01:20", "link_down 03:00-03:30");
  const awards = [
    `00:30-05:00 ~${20 + 7 * (seed % 9)} fcr`,
    ...(on.has("compound") ? [`01:15-04:45 -${30 + (seed % 60)}~${10 + (seed % 20)} compound`] : []),
    ...randomAwards(seed).map((line) => `${line} rr`),
  ];
  return worldOf(featuredSite(seed, on), awards, frequency(seed, on.has("linear") ? "linear" : "step"), events);
}

/** The same where the connection point is as the site was drawn: narrow for whatever the site is made of, or closed. */
export function constrainedFcrWorld(seed: number, on: ReadonlySet<Feature>): FcrWorld {
  const rough = featuredFcrWorld(seed, on);
  const { constraints, capability } = randomSite(seed);
  const site = {
    ...rough.spec.sites[0],
    constraints,
    capability: { ...rough.spec.sites[0].capability, reverseFlowAllowed: capability.reverseFlowAllowed },
  };
  return { ...rough, spec: { ...rough.spec, sites: [site] } };
}

function worldOf(site: SiteSpec, awards: string[], frequencyHz: Series, events: readonly string[]): FcrWorld {
  const spec = world([site], {
    endMs: END,
    vpps: [eastVpp([site], [1])],
    awards: parseAwards(...awards),
    frequencyHz,
    events: worldEvents(events),
  });
  return { spec, frequencyHz, events };
}

/** Batteries that may, some of them; the connection point is only narrow for one battery and a load that stands still. */
function capableSite(seed: number): SiteSpec {
  const draw = createRandomDraw(seed + 3_000_000);
  const drawn = randomSite(seed);
  const batteries = drawn.components.filter(({ kind }) => kind === "battery").length;
  const isStepped = drawn.components.every(
    (part) =>
      (part.kind !== "generator" || part.generationKw.interpolation === "step") &&
      (part.kind !== "consumer" || part.loadKw.interpolation === "step"),
  );
  const components = drawn.components.map((part, k) =>
    part.kind === "battery" ? { ...part, fcrCapable: k === 0 || draw.chance(0.7) } : part,
  );
  const isWide = batteries !== 1 || !isStepped;
  return {
    ...drawn,
    components,
    capability: {
      ...drawn.capability,
      fcrCapable: true,
      reverseFlowAllowed: isWide || drawn.capability.reverseFlowAllowed,
    },
    constraints: isWide ? { ...drawn.constraints, siteExportMaxKw: 1e6, siteImportMaxKw: 1e6 } : drawn.constraints,
  };
}

/** Ten seconds a value, sometimes for long beyond the dead band. */
function frequency(seed: number, interpolation: "step" | "linear" = "step") {
  const draw = createRandomDraw(seed + 4_000_000);
  let hz = 50;
  return evenSeries(
    "f",
    1 / 6,
    Array.from({ length: HOURS * 360 + 1 }, () => {
      if (draw.chance(0.02)) hz = 50 + draw.integer(-15, 15) / 10;
      return hz + draw.integer(-20, 20) / 1000;
    }),
    interpolation,
  );
}

/** A site as above, with what else a holder may have; a connection point that is narrow for all that it can do. */
function featuredSite(seed: number, on: ReadonlySet<Feature>): SiteSpec {
  const draw = createRandomDraw(seed + 6_000_000);
  const site = capableSite(seed);
  const components = site.components.map((part) => {
    if (part.kind !== "battery") return part;
    return {
      ...part,
      ...(on.has("taper") ? { powerTaper: TAPER } : {}),
      ...(on.has("ramp") ? { rampKwPerS: draw.integer(2, 40) / 10 } : {}),
    };
  });
  if (on.has("pumped"))
    components.push(
      pumped(
        { capacityKwh: draw.integer(60, 400), initialFillPct: draw.integer(20, 80), pumpMaxKw: draw.integer(20, 90) },
        { componentId: "lake", ratedOutputKw: draw.integer(20, 90), fcrCapable: draw.chance(0.8) },
      ),
    );
  const constraints = on.has("narrow")
    ? { ...site.constraints, siteExportMaxKw: 150, siteImportMaxKw: 250 }
    : site.constraints;
  return { ...site, components, constraints };
}

const TAPER = [
  { socPct: 20, importFraction: 1, exportFraction: 0.3 },
  { socPct: 60, importFraction: 0.9, exportFraction: 1 },
  { socPct: 90, importFraction: 0.1, exportFraction: 1 },
];
