import type { TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { AwardRow, FcrFigures } from "../../accounting/runRecord.ts";
import { CAUSES } from "../../accounting/settlement/causes.ts";
import { roundByLargestRemainder } from "../../base/roundByLargestRemainder.ts";
import { roundTo, toThousandths } from "../../base/rounding.ts";
import { type RowColumn, rowsToBlock } from "./rowsToBlock.ts";

const COLUMNS: readonly RowColumn<AwardRow>[] = [
  { name: "award_id", kind: "text", of: (row) => row.awardId },
  { name: "vpp", kind: "name", of: (row) => row.vpp },
  { name: "kind", kind: "name", of: (row) => row.kind },
  { name: "sku", kind: "name", of: (row) => row.sku },
  { name: "start", kind: "instant", of: (row) => row.startMs },
  { name: "end", kind: "instant", of: (row) => row.endMs },
  { name: "requested_kw", kind: "thousandths", of: (row) => row.requestedKw },
  { name: "uncovered_kw", kind: "thousandths", of: (row) => row.uncoveredKw },
  { name: "uncovered_kw_peak", kind: "thousandths", of: (row) => row.uncoveredKwPeak },
  { name: "uncovered_peak_at", kind: "optional instant", of: (row) => row.uncoveredPeakMs },
  { name: "requested_kwh", kind: "thousandths", of: (row) => row.requestedKwh },
  { name: "delivered_kwh", kind: "thousandths", of: (row) => row.deliveredKwh },
  { name: "shortfall_kwh", kind: "thousandths", of: (row) => row.shortfallKwh },
  { name: "excess_kwh", kind: "thousandths", of: (row) => row.excessKwh },
  { name: "compliance_pct", kind: "thousandths", of: (row) => row.compliancePct },
  { name: "executed_minutes", kind: "thousandths", of: (row) => row.executedMinutes },
  { name: "state", kind: "name", of: (row) => row.state },
  { name: "overwritten_by", kind: "text", of: (row) => row.overwrittenBy },
  { name: "error_type", kind: "name", of: (row) => row.errorType },
];

/** Empty without frequency response. For FCR alone, `uncovered_kw` and its causes are those of the FCR capacity. */
const FCR_COLUMNS: readonly RowColumn<AwardRow>[] = [
  { name: "fcr_response_kw", kind: "thousandths", of: ({ fcr }) => fcr?.responseKw ?? null },
  { name: "fcr_uncovered_kw", kind: "thousandths", of: ({ fcr }) => fcr?.uncoveredKw ?? null },
  { name: "fcr_activated_up_kwh", kind: "thousandths", of: ({ fcr }) => fcr?.activatedUpKwh ?? null },
  { name: "fcr_activated_down_kwh", kind: "thousandths", of: ({ fcr }) => fcr?.activatedDownKwh ?? null },
  { name: "fcr_minutes_at_bound", kind: "thousandths", of: ({ fcr }) => fcr?.minutesAtBound ?? null },
  { name: "fcr_mean_response_kw", kind: "thousandths", of: ({ fcr }) => fcr?.meanResponseKw ?? null },
  { name: "fcr_uncovered_causes_kw", kind: "text", of: ({ fcr }) => (fcr === null ? null : causesText(fcr)) },
];

/** Causes of uncovered FCR capacity, as `incompatible 20.000; energy_limit 5.500`; they add up to the printed total. */
function causesText({ uncoveredKw, uncoveredByCauseKw }: FcrFigures): string | null {
  const parts = uncoveredByCauseKw.map((kw) => 1000 * kw);
  roundByLargestRemainder(toThousandths(uncoveredKw ?? 0), parts, parts);
  const texts = CAUSES.flatMap((cause, k) => (parts[k] > 0 ? [`${cause} ${(parts[k] / 1000).toFixed(3)}`] : []));
  return texts.join("; ") || null;
}

/** Largest contributions to the shortfall, as `bat-03 out_of_service 301.200; pv-01 weather 12.500`; at most three. */
const MEMBER_COLUMNS: readonly RowColumn<AwardRow>[] = [
  {
    name: "most_lacking_kwh",
    kind: "text",
    of: ({ topContributors }) => topContributorsText(topContributors),
  },
];

/** Unambiguous, because names of sites and causes contain neither spaces nor semicolons. */
const topContributorsText = (contributors: AwardRow["topContributors"]): string | null =>
  contributors.map(({ site, cause, kwh }) => `${site} ${cause} ${roundTo(kwh, 3).toFixed(3)}`).join("; ") || null;

/** One row per award or instruction; the columns of causes add up to the printed totals (docs/model/accounting.md#attribution, 6). */
export function awardsBlock(awards: readonly AwardRow[]): TableBlock {
  const { columns } = rowsToBlock(awards, COLUMNS);
  const shortfalls = causeColumns(
    awards,
    (cause) => `shortfall_${cause}_kwh`,
    (row) => row.shortfallKwh,
    (row) => row.shortfallByCauseKwh,
  );
  const uncovered = causeColumns(
    awards,
    (cause) => `uncovered_${cause}_kw`,
    (row) => row.uncoveredKw,
    (row) => row.uncoveredByCauseKw,
  );
  const members = rowsToBlock(awards, MEMBER_COLUMNS).columns;
  const fcr = rowsToBlock(awards, FCR_COLUMNS).columns;
  return { rowCount: awards.length, columns: [...columns, ...shortfalls, ...uncovered, ...members, ...fcr] };
}

function causeColumns(
  awards: readonly AwardRow[],
  nameOf: (cause: string) => string,
  totalOf: (row: AwardRow) => number | null,
  partsOf: (row: AwardRow) => Float64Array,
): TableColumn[] {
  const values = CAUSES.map(() => new Float64Array(awards.length));
  const parts = new Float64Array(CAUSES.length);
  awards.forEach((row, k) => {
    const total = totalOf(row);
    const thousandths = total === null ? Number.NaN : Math.abs(toThousandths(total));
    // Most awards have no shortfall, so there is nothing to round.
    if (thousandths > 0) {
      const exact = partsOf(row);
      for (let c = 0; c < CAUSES.length; c++) parts[c] = exact[c] * 1000;
      roundByLargestRemainder(thousandths, parts, parts);
    } else parts.fill(thousandths);
    for (let c = 0; c < CAUSES.length; c++) values[c][k] = parts[c];
  });
  return CAUSES.map((cause, c) => ({ name: nameOf(cause), kind: "thousandths", values: values[c] }));
}
