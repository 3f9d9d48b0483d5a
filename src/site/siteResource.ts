import type { Component } from "./components/registry.ts";
import type { CompositeResource } from "./composite/compositeResource.ts";

/** The resource behind a connection point: a single component, or a composite of several. */
export type SiteResource = Component | CompositeResource;
