import { hexId } from "../../../base/ids.ts";
import { formatValue } from "../../../base/inputError.ts";
import { SKUS } from "../../../base/sku.ts";
import { isoUtc, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import { Series } from "../../../engine/series/model/series.ts";
import {
  type ComponentConfig,
  type ComponentSpec,
  kindOf,
  kindOfKeys,
} from "../../../engine/site/components/registry.ts";
import type { SiteCapability } from "../../../engine/site/siteConstraints.ts";
import type { BaselineSpec, SiteSpec } from "../../../engine/site/siteSpec.ts";
import type { SiteConfig } from "../schema/siteSchema.ts";
import { type BuildContext, numberOrSeries } from "./buildContext.ts";
import type { DayBaselineBuilder } from "./dayBaselineBuilder.ts";
import type { ExpandedSite } from "./expandEntries.ts";

/**
 * All sites with defaults applied. Sites of one entry share everything except name, id and baseline.
 *
 * @param byKeys specs that were built earlier, by entry; this call adds to it
 */
export function buildSites(
  buildContext: BuildContext,
  sites: readonly ExpandedSite[],
  dayBaselines: DayBaselineBuilder,
  byKeys: Map<SiteConfig, SiteSpec>,
): SiteSpec[] {
  const emsIds = new Map<string, string>();
  const specs = sites.map(({ name, config }, place) => {
    let spec = byKeys.get(config);
    if (spec === undefined) byKeys.set(config, (spec = buildSite(buildContext, config)));
    const emsId = config.ems_id ?? hexId(`site:${name}`);
    const other = emsIds.get(emsId);
    // Two sites of one name are refused elsewhere.
    if (other !== undefined && other !== name) {
      buildContext.checker.reportError(config, "ems_id", `the ems_id of site ${other}`, "an ems_id of its own");
    }
    emsIds.set(emsId, name);
    return { ...spec, name, emsId, baseline: dayBaselines.build(place, name, config) ?? spec.baseline };
  });
  warnOfMissingBaselines(buildContext, sites, specs);
  return specs;
}

function buildSite(buildContext: BuildContext, keys: SiteConfig): SiteSpec {
  const { checker } = buildContext;
  const componentKeys = keys.components ?? [];
  checkComponentIds(buildContext, componentKeys);
  checkStandsAlone(buildContext, componentKeys);
  const components = componentKeys
    .map(
      (component) => kindOfKeys(component)?.scenario.build(buildContext, component, keys.outages !== undefined) ?? null,
    )
    .filter((component): component is ComponentSpec => component !== null);
  for (const period of keys.maintenance ?? []) {
    if (period.end <= period.start) {
      checker.reportError(period, "end", isoUtc(period.end), `an instant after its start, ${isoUtc(period.start)}`);
    }
  }
  const { outages, link, fcr_config: fcr, constraints } = keys;
  return {
    name: keys.name,
    emsId: "",
    capability: capabilityOf(keys, componentKeys, components),
    constraints: {
      voltageClass: constraints?.voltage_class ?? null,
      measurementPoint: constraints?.measurement_point ?? null,
      siteImportMaxKw: powerLimit(buildContext, constraints, "site_import_max_kw"),
      siteExportMaxKw: powerLimit(buildContext, constraints, "site_export_max_kw"),
    },
    components,
    baseline: baselineOf(buildContext, keys),
    baselineError: baselineErrorOf(buildContext, keys),
    fcr: {
      freqRefHz: fcr?.freq_ref,
      upDeadbandHz: fcr?.up_deadband,
      lowDeadbandHz: fcr?.low_deadband,
      upDroopPct: fcr?.up_droop,
      lowDroopPct: fcr?.low_droop,
      ...(fcr?.deadband_form === "full" ? { deadbandForm: fcr.deadband_form } : {}),
      ...(fcr?.response_delay_s > 0 ? { responseDelayMs: Math.round(fcr.response_delay_s * MS_PER_SECOND) } : {}),
    },
    outages: outages === undefined ? null : { meanUpMs: outages.mtbf, meanRepairMs: outages.mttr },
    link: { lossProbability: link?.loss_probability, latencyMs: link?.latency_ms },
    control: keys.control,
    owner: keys.owner,
    maintenance: (keys.maintenance ?? []).map(({ start, end }) => ({ startMs: start, endMs: end })),
  };
}

/** A step series, because a limit that rises or falls along a line would change at each instant. */
function powerLimit(
  buildContext: BuildContext,
  constraints: SiteConfig["constraints"],
  key: "site_import_max_kw" | "site_export_max_kw",
): Series | number {
  const limit = numberOrSeries(buildContext, constraints ?? {}, key, { interpolation: "step", unit: "kW", minimum: 0 });
  if (limit instanceof Series && limit.interpolation === "linear")
    buildContext.checker.reportError(
      constraints,
      key,
      "a series with interpolation: linear",
      "a step series: leave interpolation out, or name the file a second time without it",
    );
  return limit ?? Number.POSITIVE_INFINITY;
}

/** Absent flags are what a component can do; an explicit true adds nothing to that (docs/model/scenario-format.md#capability-flags). */
function capabilityOf(
  { capability }: SiteConfig,
  components: readonly ComponentConfig[],
  specs: readonly ComponentSpec[],
): SiteCapability {
  const fcrCapable = components.some((component) => component.fcr_capable);
  const loads = components.flatMap((component) => kindOfKeys(component)?.scenario.loadKeys(component) ?? []);
  const drCapable = loads.some(({ isReducible }) => isReducible);
  return {
    fcrCapable: fcrCapable && (capability?.fcr_capable ?? true),
    drCapable: drCapable && (capability?.dr_capable ?? true),
    reverseFlowAllowed: capability?.reverse_flow_allowed ?? loads.length === 0,
    marketable: isFeedInTariffClass(specs) ? [] : (capability?.marketable ?? SKUS),
    balancingResponsible: capability?.balancing_responsible,
    nonFirmConnection: capability?.non_firm_connection,
  };
}

/** A site with nothing but plants under a feed-in tariff, which take no market product (docs/model/allocation.md#compatibility). */
const isFeedInTariffClass = (specs: readonly ComponentSpec[]): boolean =>
  specs.length > 0 && specs.every((spec) => kindOf(spec).accounting.subsidy(spec) === "fit");

/** The methods by days depend on each site's demand-response events (`DayBaselineBuilder`). */
function baselineOf({ series, checker }: BuildContext, { baseline, components = [] }: SiteConfig): BaselineSpec {
  switch (baseline?.method) {
    case "constant":
      return { method: "constant", kw: baseline.kw };
    case "series":
      return { method: "series", plan: series.resolve(baseline, "series", { interpolation: "step", unit: "kW" }) };
    case "perfect":
      if (
        components.length > 0 &&
        components.every((component) => kindOfKeys(component)?.scenario.allowsPerfectBaseline === false)
      )
        checker.reportError(baseline, "method", "perfect", "zero, constant or series for a dispatchable plant");
      return { method: "perfect" };
    case undefined:
      return { method: defaultBaselineOf(components) };
    default:
      return { method: "zero" };
  }
}

/** An error of 0 is none. A consumer with `zero` reports no slots. */
function baselineErrorOf(
  { checker }: BuildContext,
  { baseline, components = [] }: SiteConfig,
): SiteSpec["baselineError"] {
  const { bias_kw: biasKw = 0, spread_kw: spreadKw = 0, correlation_minutes = 0 } = baseline?.error ?? {};
  if (baseline === undefined || (biasKw === 0 && spreadKw === 0)) return undefined;
  if (baseline.method === "zero" && components.some(isLoad))
    checker.reportError(
      baseline,
      "error",
      "an error of a baseline zero, which registers no slots for a consumer",
      "another method, such as perfect, or no error",
    );
  return { biasKw, spreadKw, correlationMs: correlation_minutes * MS_PER_MINUTE };
}

/** The baseline of a site whose file names none. */
const defaultBaselineOf = (components: readonly ComponentConfig[]): "perfect" | "zero" =>
  components.map((component) => kindOfKeys(component)?.scenario.defaultBaseline).find((method) => method) ?? "zero";

/** Reports component kinds that cannot share a site with others. */
function checkStandsAlone({ checker }: BuildContext, components: readonly ComponentConfig[]): void {
  if (components.length === 1) return;
  for (const component of components) {
    if (kindOfKeys(component)?.scenario.standsAlone !== true) continue;
    const found = `${component.component_type} beside ${components.length - 1} more`;
    checker.reportError(component, "component_type", found, "the only component of its site; use one site for each");
  }
}

function checkComponentIds({ checker }: BuildContext, components: readonly ComponentConfig[]): void {
  const ids = new Set<string>();
  for (const component of components) {
    const id = component.component_id;
    if (id === undefined) continue;
    if (ids.has(id))
      checker.reportError(
        component,
        "component_id",
        `${formatValue(id)} again`,
        "each component_id once within a site",
      );
    ids.add(id);
  }
}

/** @see docs/model/scenario-format.md#registered-slots */
function warnOfMissingBaselines(
  { remarks }: BuildContext,
  sites: readonly ExpandedSite[],
  specs: readonly SiteSpec[],
): void {
  const names = specs
    .filter(({ baseline }, place) => baseline.method === "zero" && hasLoad(sites[place].config))
    .map(({ name }) => name);
  if (names.length === 0) return;
  const some = names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
  remarks.add("no-baseline", () => ({
    message: `No baseline for ${some}: the delivery of these consumers is measured against 0 kW`,
  }));
}

const hasLoad = ({ components = [] }: SiteConfig): boolean => components.some(isLoad);

const isLoad = (component: ComponentConfig): boolean => kindOfKeys(component)?.scenario.loadKeys(component) != null;
