import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";

/** Replaces the dynamics of batteries and loads, so that they have constant power between two events. */
export const withPlainSites = (spec: WorldSpec): WorldSpec => ({
  ...spec,
  sites: spec.sites.map((site) => ({
    ...site,
    link: { ...site.link, latencyMs: 0 },
    components: site.components.map((component) =>
      component.kind === "battery"
        ? { ...component, powerTaper: null, rampKwPerS: null, selfDischargePctPerDay: 0, responseDelayMs: 0 }
        : component.kind === "consumer"
          ? { ...component, rampKwPerS: null, reboundFraction: 0, responseDelayMs: 0 }
          : component.kind === "generator"
            ? { ...component, responseDelayMs: 0 }
            : component,
    ),
  })),
});
