import type { RandomStream } from "../../engine/kernel/randomStreams.ts";
import type { ComponentSpec } from "../../engine/site/components/registry.ts";
import type { SiteSpec } from "../../engine/site/siteSpec.ts";
import type { MeasuredColumn, MeasuredSite, MeasuredTable } from "../measured/measuredSeries.ts";
import type { FitResult } from "./estimate.ts";
import type { PvPlant } from "./pvPlants.ts";

/** What an estimator gets: one component alone at its site, and what was measured there. */
export interface SiteInput<Spec extends ComponentSpec = ComponentSpec> {
  readonly site: Pick<SiteSpec, "components" | "fcr" | "link">;
  readonly spec: Spec;
  /** Of a PV plant; else `null`. */
  readonly pv: PvPlant | null;
  readonly measured: MeasuredSite;
  readonly options: FitOptions;
}

export interface FitOptions {
  /** Share of the resamples within an interval, 0 to 1. */
  readonly level: number;
  readonly resamples: number;
  /** A stream of the site by purpose. */
  readonly streamOf: (purpose: string) => RandomStream;
}

/** Pure: the same input gives the same estimates. */
export type Estimator<Spec extends ComponentSpec> = (input: SiteInput<Spec>) => FitResult;

/** The table that covers most time among those with all of the columns; `null` where there is none. */
export function tableWith({ main, tables }: MeasuredSite, ...columns: readonly MeasuredColumn[]): MeasuredTable | null {
  const hasAll = (table: MeasuredTable): boolean => columns.every((name) => table.columns.has(name));
  return [main, ...tables].find(hasAll) ?? null;
}

/** Of a site that has no table with what is needed. */
export const NO_ROWS: MeasuredTable = {
  label: "instant",
  spacingMs: 0,
  timesMs: new Float64Array(),
  columns: new Map(),
};

/** Values by row; NaN everywhere for a column that the table does not have. */
export const valuesOf = ({ columns, timesMs }: MeasuredTable, name: MeasuredColumn): Float64Array =>
  columns.get(name) ?? new Float64Array(timesMs.length).fill(Number.NaN);

/** The last digit that values are printed with, at least 0.0001; 0 of none. */
export function digitOf(values: Float64Array): number {
  const printed = values.filter((value) => !Number.isNaN(value)).subarray(0, DIGIT_ROWS);
  if (printed.length === 0) return 0;
  const digit = [1, 0.1, 0.01, 0.001].find((step) =>
    printed.every((value) => Math.abs(value / step - Math.round(value / step)) < 1e-6),
  );
  return digit ?? 0.0001;
}

const DIGIT_ROWS = 2_000;
