import { RandomStreams } from "../kernel/randomStreams.ts";
import { type ComponentSpec, kindOf } from "../site/components/registry.ts";
import type { SiteSpec } from "../site/siteSpec.ts";

/** Sites with what their components leave to chance drawn from the streams of a seed. @see docs/model/time.md#random-streams */
export function drawSites(sites: readonly SiteSpec[], seed: number): readonly SiteSpec[] {
  if (!sites.some(({ components }) => components.some(isRandom))) return sites;
  const streams = new RandomStreams(seed);
  return sites.map((site) => {
    if (!site.components.some(isRandom)) return site;
    return { ...site, components: site.components.map((component) => drawn(component, site.name, streams)) };
  });
}

const isRandom = (component: ComponentSpec): boolean => kindOf(component).draws !== undefined;

function drawn(component: ComponentSpec, site: string, streams: RandomStreams): ComponentSpec {
  const { draws } = kindOf(component);
  if (draws === undefined) return component;
  return draws.from(component, (owner) =>
    streams.getStream(draws.purpose, `${site}/${component.componentId}/${owner}`),
  );
}
