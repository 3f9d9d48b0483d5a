import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import type { SiteSpec } from "../../engine/site/siteSpec.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import type { MeasuredSite } from "../measured/measuredSeries.ts";
import { type Estimate, type Fit, notIdentifiable } from "./estimate.ts";
import { estimatorOf } from "./estimators.ts";
import type { PvPlants } from "./pvPlants.ts";
import type { FitOptions } from "./siteInput.ts";

export interface CalibrationOptions extends Pick<FitOptions, "level" | "resamples"> {
  readonly seed: number;
}

/** An estimate at its place in the scenario. */
export interface CalibratedParameter extends Estimate {
  readonly site: string;
  /** `null`: of the site as a whole. */
  readonly component: string | null;
  /** Study path; `null`: the scenario has no such key. */
  readonly path: string | null;
}

export interface Calibration {
  readonly parameters: readonly CalibratedParameter[];
  readonly fits: readonly (Fit & { readonly site: string })[];
}

/**
 * Fits the parameters of all measured sites, in the order of the sites (docs/model/twin.md#calibration). Each site has its own
 * random streams, so that its estimates do not depend on the others.
 */
export function calibrate(
  sites: readonly SiteSpec[],
  measured: ReadonlyMap<string, MeasuredSite>,
  { level, resamples, seed }: CalibrationOptions,
  pvPlants: PvPlants = new Map(),
): Calibration {
  const streams = new RandomStreams(seed);
  const parameters: CalibratedParameter[] = [];
  const fits: (Fit & { readonly site: string })[] = [];
  for (const site of sites) {
    const own = measured.get(site.name);
    if (own === undefined) continue;
    const streamOf = (purpose: string) => streams.getStream(`calibrate ${purpose}`, site.name);
    const [spec] = site.components;
    const found =
      site.components.length === 1
        ? estimatorOf(spec)({
            site,
            spec,
            pv: pvPlants.get(site.name) ?? null,
            measured: own,
            options: { level, resamples, streamOf },
          })
        : { estimates: [ofSeveral(site.components.length)], fits: [] };
    for (const estimate of found.estimates)
      parameters.push({
        site: site.name,
        component: estimate.scope === "component" ? spec.componentId : null,
        path: pathOf(estimate, site),
        ...estimate,
      });
    fits.push(...found.fits.map((fit) => ({ site: site.name, ...fit })));
  }
  return { parameters, fits };
}

const ofSeveral = (count: number): Estimate =>
  notIdentifiable(
    { parameter: "components", scope: "site", key: null, unit: "1", before: count },
    `one meter measures ${count} components together; a measurement of each at a site of its own would tell`,
  );

function pathOf({ scope, key }: Estimate, { name, components: [{ componentId }] }: SiteSpec): string | null {
  if (key === null) return null;
  return scope === "site" ? `sites.${name}.${key}` : `sites.${name}.components.${componentId}.${key}`;
}

interface PatchedParameter extends CalibratedParameter {
  readonly path: string;
  readonly value: number | string;
}

/** Parameters that the patch has. */
export const patched = ({ parameters }: Calibration): readonly PatchedParameter[] =>
  parameters.filter((row): row is PatchedParameter => row.status === "identified" && row.path !== null);

/**
 * Sets of all patched parameters, one for each resample. Those of one site are of one resample of its measurements.
 *
 * @param count  sets, of which more than resamples repeat
 */
export function parameterSets(calibration: Calibration, count: number): Patch[] {
  const rows = patched(calibration);
  return Array.from({ length: count }, (_, k) => {
    const drawOf = ({ draws, value }: PatchedParameter): number | string => {
      const draw = draws.length === 0 ? value : draws[k % draws.length];
      return typeof draw === "number" && !Number.isFinite(draw) ? value : draw;
    };
    return Object.fromEntries(rows.map((row) => [row.path, drawOf(row)]));
  });
}
