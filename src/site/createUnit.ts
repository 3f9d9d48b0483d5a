import { type SiteBaseline, slotSeries } from "./baseline/siteBaseline.ts";
import { BatteryUnit } from "./components/batteryUnit.ts";
import { ConsumerUnit } from "./components/consumerUnit.ts";
import { DispatchableUnit } from "./components/dispatchableUnit.ts";
import { GeneratorUnit } from "./components/generatorUnit.ts";
import { CompositeUnit } from "./composite/compositeUnit.ts";
import type { Period, SiteSpec } from "./siteSpec.ts";
import type { Unit } from "./unit.ts";

/** What stands behind a site's connection point, as a run begins. */
export function createUnit(spec: SiteSpec, baseline: SiteBaseline, period: Period): Unit {
  const { components, constraints } = spec;
  if (components.length > 1) return new CompositeUnit(spec, baseline);
  const [component] = components;
  switch (component.kind) {
    case "battery":
      return new BatteryUnit(component, constraints, baseline.plan);
    case "generator":
      return new GeneratorUnit(component, constraints);
    case "dispatchable":
      return new DispatchableUnit(component, constraints, baseline.plan);
    case "consumer":
      return new ConsumerUnit(component, slotSeries(baseline, period), constraints.siteImportMaxKw);
  }
}
