import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import type { SiteRow } from "../../accounting/siteRow.ts";
import { type RowColumn, rowsToBlock } from "./rowsToBlock.ts";

const COLUMNS: readonly RowColumn<SiteRow>[] = [
  { name: "site", kind: "text", of: (row) => row.site },
  { name: "resource_type", kind: "name", of: (row) => row.resourceType },
  { name: "vpp", kind: "name", of: (row) => row.vpp },
  { name: "import_kwh", kind: "thousandths", of: (row) => row.importKwh },
  { name: "export_kwh", kind: "thousandths", of: (row) => row.exportKwh },
  { name: "throughput_kwh", kind: "thousandths", of: (row) => row.throughputKwh },
  { name: "equivalent_full_cycles", kind: "thousandths", of: (row) => row.equivalentFullCycles },
  { name: "soc_min_pct", kind: "thousandths", of: (row) => row.socMinPct },
  { name: "soc_mean_pct", kind: "thousandths", of: (row) => row.socMeanPct },
  { name: "soc_max_pct", kind: "thousandths", of: (row) => row.socMaxPct },
  { name: "minutes_at_soc_min", kind: "thousandths", of: (row) => row.minutesAtSocMin },
  { name: "minutes_at_soc_max", kind: "thousandths", of: (row) => row.minutesAtSocMax },
  ...[20, 40, 60, 80, 100].map(
    (depth, k): RowColumn<SiteRow> => ({
      name: `cycles_to_${depth}_pct`,
      kind: "thousandths",
      of: (row) => row.cyclesByDepth?.[k] ?? null,
    }),
  ),
  { name: "availability_pct", kind: "thousandths", of: (row) => row.availabilityPct },
  { name: "planned_outage_pct", kind: "thousandths", of: (row) => row.plannedOutagePct },
  { name: "curtailed_kwh", kind: "thousandths", of: (row) => row.curtailedKwh },
  { name: "fit_curtailed_kwh", kind: "thousandths", of: (row) => row.fitCurtailedKwh },
  { name: "non_firm_curtailed_kwh", kind: "thousandths", of: (row) => row.nonFirmCurtailedKwh },
  { name: "manual_curtailed_kwh", kind: "thousandths", of: (row) => row.manualCurtailedKwh },
  { name: "dr_delivered_kwh", kind: "thousandths", of: (row) => row.drDeliveredKwh },
  { name: "soc_final_pct", kind: "thousandths", of: (row) => row.socFinalPct },
];

export const sitesBlock = (sites: readonly SiteRow[]): TableBlock => rowsToBlock(sites, COLUMNS);
