import type { Series } from "../../series/model/series.ts";

/** Limits of the demand response of a load. */
export interface LoadTerms {
  readonly componentId: string;
  readonly drCapable: boolean;
  readonly contractKw: number;
  readonly maxDemandKw: number;
  readonly minDrReductionKw: number;
  readonly maxDrReductionKw: number;
  readonly minDrDurationMs: number;
  readonly minDrCooldownMs: number;
}

/** Operation facet of a kind: figures that depend on the specification alone. */
export interface ComponentOperationFacet<Spec> {
  /** Delay from a set-point to its effect. */
  responseDelayMs(spec: Spec): number;
  /** Rated import and export power, in kW (docs/model/frequency-response.md#rated-power). */
  ratedImportKw(spec: Spec): number;
  ratedExportKw(spec: Spec): number;
  /** Whether it provides frequency response as one of several components. */
  readonly respondsAsPart: boolean;
  /** Limits of its demand response; `null`: not a load. */
  loadTerms(spec: Spec): LoadTerms | null;
  /** Constant auxiliary import, in kW. */
  auxiliaryKw(spec: Spec): number;
  /** Power without any instruction and without auxiliaries, in kW, import positive. @param siteExportMaxKw  `Infinity`: no limit */
  uncontrolledKw(spec: Spec, siteExportMaxKw: Series | number): Series | number;
}
