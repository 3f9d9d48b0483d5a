/**
 * What the format has and the world has not yet, each answered with its place. A line goes away when the world can.
 */
import type { DocumentChecker } from "./checkDocument.ts";
import type { SiteKeys } from "./schema/siteSchema.ts";

export interface WholeScenario {
  readonly sites: readonly SiteKeys[];
}

const later = (what: string, instead: string) => `${instead} (${what} is not simulated yet)`;

export function refuseNotSimulatedYet(checker: DocumentChecker, scenario: WholeScenario): void {
  for (const site of new Set(scenario.sites)) refuseSite(checker, site);
}

function refuseSite(checker: DocumentChecker, site: SiteKeys): void {
  const components = site.components ?? [];
  if (components.length > 1) {
    checker.report(
      site,
      "components",
      `${components.length} components`,
      later("a site of several components", "one component"),
    );
  }
  if (site.control === "track") checker.report(site, "control", "track", later("control: track of a site", "open"));
}
