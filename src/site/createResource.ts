import { type SiteBaseline, toSlotSeries } from "./baseline/siteBaseline.ts";
import { BatteryComponent } from "./components/batteryComponent.ts";
import { ConsumerComponent } from "./components/consumerComponent.ts";
import { DispatchableComponent } from "./components/dispatchableComponent.ts";
import { GeneratorComponent } from "./components/generatorComponent.ts";
import { CompositeResource } from "./composite/compositeResource.ts";
import type { SiteResource } from "./siteResource.ts";
import type { Period, SiteSpec } from "./siteSpec.ts";

/** What stands behind a site's connection point, as a run begins. */
export function createResource(spec: SiteSpec, baseline: SiteBaseline, period: Period): SiteResource {
  const { components, constraints } = spec;
  if (components.length > 1) return new CompositeResource(spec, baseline);
  const [component] = components;
  switch (component.kind) {
    case "battery":
      return new BatteryComponent(component, constraints, baseline.planKw);
    case "generator":
      return new GeneratorComponent(component, constraints);
    case "dispatchable":
      return new DispatchableComponent(component, constraints, baseline.planKw);
    case "consumer":
      return new ConsumerComponent(component, toSlotSeries(baseline, period), constraints.siteImportMaxKw);
  }
}
