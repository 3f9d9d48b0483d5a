import type { Series } from "../../series/model/series.ts";

/** The demand response that a load can be asked for. */
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

/** What operation needs of a component's specification, before and beside the component itself. */
export interface ComponentOperationFacet<Spec> {
  /** Between a set-point and its effect. */
  responseDelayMs(spec: Spec): number;
  /** The largest power it can take in and give, in kW (docs/model/frequency-response.md#rated-power). */
  ratedImportKw(spec: Spec): number;
  ratedExportKw(spec: Spec): number;
  /** Whether it responds to the frequency where it is one of several components. */
  readonly respondsAsPart: boolean;
  /** The demand response that it can be asked for; `null`: it is no load. */
  loadTerms(spec: Spec): LoadTerms | null;
  /** Constant import on top of everything else, in kW. */
  auxiliaryKw(spec: Spec): number;
  /** Power in kW, import positive, without any instruction, auxiliaries left aside. @param siteExportMaxKw  `Infinity`: no limit */
  uncontrolledKw(spec: Spec, siteExportMaxKw: number): Series | number;
}
