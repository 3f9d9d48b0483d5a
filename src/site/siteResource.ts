import type { Component } from "./components/registry.ts";
import type { CompositeResource } from "./composite/compositeResource.ts";

/** The resource behind a connection point: a single component, or a composite of several. */
export type SiteResource = Component | CompositeResource;

/** Each component behind a connection point. */
export const componentsOf = (resource: SiteResource): readonly Component[] =>
  resource.composite === null ? [resource] : resource.composite.components;
