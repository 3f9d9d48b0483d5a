import type { ComponentSpec } from "../engine/site/components/registry.ts";
import type { ResourceType } from "../engine/vpp/vppSpec.ts";
import type { SiteMoneyRow } from "./ledger/moneyRows.ts";

/** One site over the whole run. `null`: the field does not apply to the site's kind. */
export interface SiteRow {
  readonly site: string;
  readonly resourceType: ResourceType;
  /** Name of the VPP the site belongs to at the start of the run, else of the first it joins; `null` for none. */
  readonly vpp: string | null;
  readonly importKwh: number;
  readonly exportKwh: number;
  readonly throughputKwh: number | null;
  readonly equivalentFullCycles: number | null;
  readonly socMinPct: number | null;
  readonly socMeanPct: number | null;
  readonly socMaxPct: number | null;
  readonly socFinalPct: number | null;
  readonly minutesAtSocMin: number | null;
  readonly minutesAtSocMax: number | null;
  /** Rainflow cycles of the stored energy, halves included, by depth: up to 20 %, 40 %, … 100 % of the rated capacity. */
  readonly cyclesByDepth: Float64Array | null;
  readonly availabilityPct: number;
  readonly plannedOutagePct: number;
  readonly curtailedKwh: number | null;
  readonly fitCurtailedKwh: number | null;
  readonly nonFirmCurtailedKwh: number | null;
  readonly manualCurtailedKwh: number | null;
  readonly drDeliveredKwh: number | null;
  /** `null` until the ledger of the run is closed. */
  readonly money: SiteMoneyRow | null;
  /** In their order; `null` for a site of one. */
  readonly components: readonly ComponentRow[] | null;
}

/** Energy paths of one of several components over the whole run; what a kind does not have is 0. @see docs/model/connection-point.md#energy-paths */
export interface ComponentRow {
  readonly componentId: string;
  readonly kind: ComponentSpec["kind"];
  readonly fromGeneratorKwh: number;
  readonly fromGridKwh: number;
  readonly toLoadKwh: number;
  readonly toBatteryKwh: number;
  readonly toGridKwh: number;
}
