import type { EpochMs } from "../../base/time.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { MeteredSite, ResourceMeter } from "../meters/resourceMeter.ts";
import type { SiteConstraints } from "../siteConstraints.ts";
import type { ComponentAccountingFacet } from "./accountingFacet.ts";
import type { ComponentOperationFacet } from "./operationFacet.ts";
import type { ComponentReportFacet } from "./reportFacet.ts";
import type { ComponentKeys, ComponentScenarioFacet } from "./scenarioFacet.ts";
import type { ComponentStudyFacet } from "./studyFacet.ts";
import type { ComponentWireFacet } from "./wireFacet.ts";

/** What every specification of a component has, whatever its kind. */
export interface ComponentSpecBase {
  readonly kind: string;
  readonly componentId: string;
  readonly fcrCapable: boolean;
}

/** What a component needs of the site that it is the only component of. */
export interface ComponentSite {
  readonly constraints: SiteConstraints;
  readonly baseline: SiteBaseline;
  /** The run: first and last instant. */
  readonly period: { readonly startMs: EpochMs; readonly endMs: EpochMs };
}

/**
 * A kind of component: everything that the layers need of it. Layers get it from `kindOf` of registry.ts and never
 * compare names of kinds; test/tidy.test.ts checks that.
 *
 * What a layer above needs is a facet, an interface of its own beside this file, made of plain values and narrow ports:
 * this folder knows no folder above it.
 */
export interface ComponentKind<Spec extends ComponentSpecBase, Component, Keys extends ComponentKeys = ComponentKeys> {
  readonly name: Spec["kind"];
  readonly scenario: ComponentScenarioFacet<Keys, Spec>;
  readonly wire: ComponentWireFacet<Spec, Component>;
  readonly study: ComponentStudyFacet<Spec>;
  readonly report: ComponentReportFacet;
  readonly operation: ComponentOperationFacet<Spec>;
  readonly accounting: ComponentAccountingFacet<Spec>;
  /** The component of a site that has no other, as a run begins. */
  create(spec: Spec, site: ComponentSite): Component;
  /**
   * One of several components of a site. The site plans for it.
   *
   * @param constraints  what the connection point leaves to it; the site changes it as the run goes on
   */
  createPart(spec: Spec, constraints: SiteConstraints): Component;
  /**
   * The meter of a site that has no other component.
   *
   * @param registers  what it goes on from; none at the start of a run
   */
  createMeter<Site extends MeteredSite>(
    component: Component,
    site: Site,
    startMs: EpochMs,
    registers: Float64Array | null,
  ): ResourceMeter<Site>;
}
