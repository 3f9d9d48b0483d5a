import { kindOfKeys } from "../engine/site/components/registry.ts";
import type { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import type { SiteConfig } from "../inputs/scenario/schema/siteSchema.ts";

/** A number of a scenario that a what-if changes. */
export interface LiveParameter {
  /** Study path, such as "weights.east.battery-small" (docs/model/studies.md#paths). */
  readonly path: string;
  readonly kind: "weight" | "size";
  readonly site: string;
  /** The VPP of a weight; the component and its key of a size, such as "bat rated_cap". */
  readonly of: string;
  /** The value in the files. */
  readonly written: number;
}

/** The weights of all members, and the sizes of all components, in the order of the scenario. */
export function liveParameters(source: ScenarioSource): readonly LiveParameter[] {
  const { content } = source;
  if (content === null) return [];
  const weights = content.vpps.flatMap(({ config: { name }, members }) =>
    members.map(({ siteIndex }) => {
      const site = content.sites[siteIndex].name;
      return { path: `weights.${name}.${site}`, kind: "weight" as const, site, of: name };
    }),
  );
  const sizes = content.sites.flatMap(({ name: site, config }) =>
    sizeKeys(config).map(([component, key]) => ({
      path: `sites.${site}.components.${component}.${key}`,
      kind: "size" as const,
      site,
      of: `${component} ${key}`,
    })),
  );
  return [...weights, ...sizes].flatMap((parameter) => {
    // A name with a "*" or a "." has no path of its own.
    const [written, ...others] = source.readValuesAt(parameter.path) ?? [];
    return others.length > 0 || typeof written !== "number" ? [] : [{ ...parameter, written }];
  });
}

/** Ratings and capacities of the components of a site. */
function sizeKeys({ components = [] }: SiteConfig): readonly (readonly [component: string, key: string])[] {
  return components.flatMap((component) => {
    const facet = kindOfKeys(component)?.scenario;
    const storage = facet?.storageKeys?.(component);
    const keys = new Set([storage?.key, facet?.ratingKeys(component).key, storage?.importKey]);
    return [...keys].flatMap((key) => (key === undefined ? [] : [[component.component_id, key] as const]));
  });
}
