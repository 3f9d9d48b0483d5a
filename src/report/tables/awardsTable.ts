import type { AwardMoney } from "../../accounting/ledger/moneyRows.ts";
import type { TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import {
  AWARD_FIGURES,
  type AwardRow,
  type AwardState,
  FCR_FIGURES,
  type FcrFigures,
  LATER_FIGURES,
} from "../../accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../../accounting/settlement/causes.ts";
import { roundByLargestRemainder } from "../../base/roundByLargestRemainder.ts";
import { roundTo, toThousandths } from "../../base/rounding.ts";
import { SKUS, type Sku } from "../../base/sku.ts";
import { parseRefusalKind } from "../refusalText.ts";
import { type CsvRow, readFields, readNumberCell, wrongCell } from "./readTable.ts";
import { type Field, fieldColumns, type RowColumn, rowsToBlock } from "./rowsToBlock.ts";

const FIELDS = {
  awardId: { name: "award_id", kind: "text" },
  vpp: { name: "vpp", kind: "name" },
  kind: { name: "kind", kind: "name" },
  sku: { name: "sku", kind: "name" },
  startMs: { name: "start", kind: "instant" },
  endMs: { name: "end", kind: "instant" },
  requestedKw: { name: "requested_kw", kind: "thousandths" },
  ...AWARD_FIGURES,
  state: { name: "state", kind: "name" },
  overwrittenBy: { name: "overwritten_by", kind: "text" },
  errorType: { name: "error_type", kind: "name" },
} as const satisfies { readonly [Key in keyof AwardRow]?: Field };

const COLUMNS = fieldColumns<AwardRow>(FIELDS);

/** Empty without frequency response. For FCR alone, `uncovered_kw` and its causes are those of the FCR capacity. */
const FCR_COLUMNS: readonly RowColumn<AwardRow>[] = [
  ...(Object.keys(FCR_FIGURES) as (keyof typeof FCR_FIGURES)[]).map(
    (key): RowColumn<AwardRow> => ({ ...FCR_FIGURES[key], of: ({ fcr }) => fcr?.[key] ?? null }),
  ),
  { name: "fcr_uncovered_causes_kw", kind: "text", of: ({ fcr }) => (fcr === null ? null : causesText(fcr)) },
];

/** Causes of uncovered FCR capacity, as `incompatible 20.000; energy_limit 5.500`; they add up to the printed total. */
function causesText({ uncoveredKw, uncoveredByCauseKw }: FcrFigures): string | null {
  const parts = uncoveredByCauseKw.map((kw) => 1000 * kw);
  roundByLargestRemainder(toThousandths(uncoveredKw ?? 0), parts, parts);
  const texts = CAUSES.flatMap((cause, k) => (parts[k] > 0 ? [`${cause} ${(parts[k] / 1000).toFixed(3)}`] : []));
  return texts.join("; ") || null;
}

/** What awards earn and cost, as sites have it too. */
export const AWARD_MONEY_FIELDS = {
  capacityJpy: { name: "capacity_jpy", kind: "thousandths" },
  awardEnergyJpy: { name: "award_energy_jpy", kind: "thousandths" },
  revenueJpy: { name: "revenue_jpy", kind: "thousandths" },
  penaltyJpy: { name: "penalty_jpy", kind: "thousandths" },
  energyCostJpy: { name: "energy_cost_jpy", kind: "thousandths" },
} as const satisfies { readonly [Key in keyof AwardMoney]?: Field };

/** Columns after those of frequency response. */
const LAST_FIELDS = {
  ...LATER_FIGURES,
  ...AWARD_MONEY_FIELDS,
  marginJpy: { name: "margin_jpy", kind: "thousandths" },
} as const satisfies { readonly [Key in keyof AwardRow]?: Field };

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
    shortfallColumn,
    (row) => row.shortfallKwh,
    (row) => row.shortfallByCauseKwh,
  );
  const uncovered = causeColumns(
    awards,
    uncoveredColumn,
    (row) => row.uncoveredKw,
    (row) => row.uncoveredByCauseKw,
  );
  const members = rowsToBlock(awards, MEMBER_COLUMNS).columns;
  const fcr = rowsToBlock(awards, FCR_COLUMNS).columns;
  const last = rowsToBlock(awards, fieldColumns<AwardRow>(LAST_FIELDS)).columns;
  return { rowCount: awards.length, columns: [...columns, ...shortfalls, ...uncovered, ...members, ...fcr, ...last] };
}

export const shortfallColumn = (cause: Cause): string => `shortfall_${cause}_kwh`;
export const uncoveredColumn = (cause: Cause): string => `uncovered_${cause}_kw`;

function causeColumns(
  awards: readonly AwardRow[],
  nameOf: (cause: Cause) => string,
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

const STATES: readonly AwardState[] = ["pending", "running", "completed", "overwritten", "deleted", "refused"];

/**
 * Reads a row of the table again.
 *
 * @param file  named in errors
 * @throws InputErrors if a required cell is missing or invalid
 */
export function readAwardRow(row: CsvRow, file: string): AwardRow {
  const cells = { ...readFields(row, FIELDS, file), ...readFields(row, LAST_FIELDS, file) };
  const state = STATES.find((name) => name === row.state);
  if (state === undefined) throw wrongCell(file, row, "state", STATES.join(", "));
  const sku = SKUS.find((name) => name === row.sku) ?? null;
  return {
    ...cells,
    awardId: row.award_id,
    kind: row.kind === "instruction" ? "instruction" : "award",
    vpp: row.vpp ?? "",
    sku,
    requestedKw: cells.requestedKw ?? 0,
    isFcr: sku === "fcr",
    fcr: readFcrFigures(row, sku, file),
    executedMinutes: cells.executedMinutes ?? 0,
    state,
    errorType: parseRefusalKind(row.error_type),
    shortfallByCauseKwh: readCauses(row, shortfallColumn),
    uncoveredByCauseKw: readCauses(row, uncoveredColumn),
    topContributors: readTopContributors(row.most_lacking_kwh ?? ""),
  };
}

const readCauses = (row: CsvRow, column: (cause: Cause) => string): Float64Array =>
  Float64Array.from(CAUSES, (cause) => readNumberCell(row, column(cause)) ?? 0);

/** `null` for an award without frequency response; figures missing in reports of older versions are `null` inside. */
function readFcrFigures(row: CsvRow, sku: Sku | null, file: string): FcrFigures | null {
  const isFcr = sku === "fcr";
  const cells = readFields(row, FCR_FIGURES, file);
  const responseKw = cells.responseKw ?? (isFcr ? readNumberCell(row, "requested_kw") : null);
  if (responseKw === null) return null;
  const causesKw = readCauseAmounts(row.fcr_uncovered_causes_kw ?? "");
  return {
    ...cells,
    responseKw,
    uncoveredKw: cells.uncoveredKw ?? (isFcr ? readNumberCell(row, "uncovered_kw") : null),
    uncoveredByCauseKw: isFcr
      ? readCauses(row, uncoveredColumn)
      : Float64Array.from(CAUSES, (cause) => causesKw.get(cause) ?? 0),
  };
}

/** Reads `incompatible 20.000; energy_limit 5.500`. */
const readCauseAmounts = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split("; ").map((part) => {
      const [cause, kw] = part.split(" ");
      return [cause, Number(kw)];
    }),
  );

/** Reads the column `most_lacking_kwh`; keeps its order. */
export function readTopContributors(text: string): AwardRow["topContributors"] {
  return text.split("; ").flatMap((part) => {
    const [site, causeName, kwh] = part.split(" ");
    const cause = CAUSES.find((name) => name === causeName);
    return cause === undefined ? [] : [{ site, cause, kwh: Number(kwh) }];
  });
}
