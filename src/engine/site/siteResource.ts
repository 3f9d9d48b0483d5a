import type { ComponentSite } from "./components/componentKind.ts";
import { type Component, kindOf } from "./components/registry.ts";
import { CompositeResource } from "./composite/compositeResource.ts";
import type { SiteSpec } from "./siteSpec.ts";

/** The resource behind a connection point: a single component, or a composite of several. */
export type SiteResource = Component | CompositeResource;

/** Each component behind a connection point. */
export const componentsOf = (resource: SiteResource): readonly Component[] =>
  resource.composite === null ? [resource] : resource.composite.components;

/** The resource behind a site's connection point at the start of a run. */
export function createResource(spec: SiteSpec, site: ComponentSite): SiteResource {
  const { components } = spec;
  if (components.length > 1) return new CompositeResource(spec, site);
  return kindOf(components[0]).create(components[0], site);
}
