import type { Component } from "./components/registry.ts";
import type { CompositeResource } from "./composite/compositeResource.ts";

/** What stands behind a connection point: one component, or all of several together. */
export type SiteResource = Component | CompositeResource;
