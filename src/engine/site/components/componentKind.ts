import type { EpochMs } from "../../../base/time.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { EnergyField } from "../meters/energyRegisters.ts";
import type { MeteredSite, ResourceMeter } from "../meters/resourceMeter.ts";
import type { PowerLimits } from "../siteConstraints.ts";
import type { ComponentOperationFacet } from "./capabilities.ts";
import type { ComponentKeys, ComponentScenarioFacet } from "./scenarioFacet.ts";
import type { ComponentStudyFacet } from "./studyFacet.ts";
import type { ComponentTable } from "./tableFacet.ts";
import type { ComponentWireFacet } from "./wireFacet.ts";

/** Report facet of a kind. */
interface ComponentReportFacet {
  /** Role in the energy flows of a site. A plant that has imported energy counts as storage. */
  readonly flowRole: "load" | "plant" | "storage";
}

/** Whose money the energy of a site is. @see docs/model/money.md#owner */
export type Owner = "aggregator" | "customer";

/** Accounting facet of a kind. @see docs/model/accounting.md#energy-fields */
export interface ComponentAccountingFacet<Spec> {
  /** Registers, of `REGISTER`, that can be nonzero for a site of this component alone. */
  readonly siteRegisters: readonly number[];
  /** Registers, of `COMPONENT_REGISTER`, that can be nonzero for one of several components. */
  readonly partRegisters: readonly number[];
  /** Role in the energy paths of a site (docs/model/connection-point.md#energy-paths). */
  energyRole(spec: Spec): "load" | "generation" | "storage";
  /** Who owns a site of such components alone where the scenario does not say. @see docs/model/money.md#owner */
  readonly owner: Owner;
  /** Support scheme of its exports. */
  subsidy(spec: Spec): "fit" | "fip" | "none";
  /** Whether site tables contain curtailment figures. */
  readonly hasCurtailment: boolean;
  /** Additional fields of energy records, besides import, export and baseline, for a site of this component alone. */
  energyFields(spec: Spec, isBalancingResponsible: boolean): readonly EnergyField[];
  /** Additional fields that it contributes to a site of several components. */
  partEnergyFields(spec: Spec): readonly EnergyField[];
}

/** Fields that the specifications of all kinds have. */
interface ComponentSpecBase {
  readonly kind: string;
  readonly componentId: string;
  readonly fcrCapable: boolean;
}

/** Context in which the only component of a site is created. */
export interface ComponentSite {
  /** Of the connection point, as they are at each instant. */
  readonly limits: PowerLimits;
  readonly baseline: SiteBaseline;
  /** The run: first and last instant. */
  readonly period: { readonly startMs: EpochMs; readonly endMs: EpochMs };
}

/** Random parts of a specification. */
interface RandomDraws<Spec> {
  /** Of the streams, which belong to site, component and what the kind adds. */
  readonly purpose: string;
  /** The specification with its random parts drawn. The same streams give the same parts. */
  from(spec: Spec, streamOf: (owner: string) => RandomDrawing): Spec;
}

/** A random stream. */
interface RandomDrawing {
  /** Uniform in [0, 1). */
  nextUniform(): number;
  /** Mean 0, standard deviation 1. */
  nextNormal(): number;
}

/**
 * A component kind. Layers get it from `kindOf` of registry.ts and never compare names of kinds; test/tidy.test.ts
 * checks this.
 *
 * Each upper layer has a facet: an interface in a file of its own in this folder. Facets consist of plain values and
 * narrow ports, because this folder must not import from upper layers.
 */
export interface ComponentKind<Spec extends ComponentSpecBase, Component, Keys extends ComponentKeys = ComponentKeys> {
  readonly name: Spec["kind"];
  readonly scenario: ComponentScenarioFacet<Keys, Spec>;
  readonly wire: ComponentWireFacet<Spec, Component>;
  readonly study: ComponentStudyFacet<Spec>;
  readonly report: ComponentReportFacet;
  readonly operation: ComponentOperationFacet<Spec>;
  readonly accounting: ComponentAccountingFacet<Spec>;
  /** The random parts of a specification; absent: none. */
  readonly draws?: RandomDraws<Spec>;
  /** A report table of its own. */
  readonly table?: ComponentTable<Component>;
  /** Creates the only component of a site, in its initial state. */
  create(spec: Spec, site: ComponentSite): Component;
  /**
   * Creates one of several components of a site. The composite plans its set-points.
   *
   * @param limits  what the connection point leaves to the component; the composite updates them during the run
   */
  createPart(spec: Spec, limits: PowerLimits): Component;
  /**
   * Creates the meter of a site with this component alone.
   *
   * @param registers  initial register values; `null` at the start of a run
   */
  createMeter<Site extends MeteredSite>(
    component: Component,
    site: Site,
    startMs: EpochMs,
    registers: Float64Array | null,
  ): ResourceMeter<Site>;
}
