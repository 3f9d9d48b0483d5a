import { isoUtc } from "../base/time.ts";
import type { WorldPart } from "../engine/simulation/worldParts.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import type { Period } from "../engine/site/siteSpec.ts";
import { computeKpis } from "./kpis/computeKpis.ts";
import type { SettledFigures } from "./kpis/kpi.ts";
import { energyTrade } from "./ledger/energyTrade.ts";
import { awardAmounts, closeLedger, type Ledger, type SiteTotals } from "./ledger/ledger.ts";
import { awardMoneyRows, hasMoney, siteMoneyRows } from "./ledger/moneyRows.ts";
import { amountsOf, NO_AMOUNTS } from "./ledger/siteMoney.ts";
import { conflictWarnings, type FoundConflicts } from "./recorders/baselineConflicts.ts";
import { type KindTableRows, kindFigures, kindTables } from "./recorders/kindTables.ts";
import { tradedOfParts } from "./recorders/tradedHours.ts";
import type { KindTable, RunRecord } from "./runRecord.ts";
import { shareOfSession, type TotalsBeforeSession } from "./sessionShare.ts";
import { AwardFigures, FIGURE_COUNT } from "./settlement/awardFigures.ts";
import type { SiteRow } from "./siteRow.ts";

/** Discharge at the AC side and at the cells, and rated capacity, of one battery, in kWh. */
export interface BatteryThroughput {
  readonly site: number;
  readonly dischargedKwh: number;
  readonly cellDischargeKwh: number;
  readonly ratedCapKwh: number;
  /** The larger of import and export power. */
  readonly ratedKw: number;
}

/** What a run of a part of a world has at its end; plain data with the part's own indices. */
export interface PartRecord
  extends Pick<
    RunRecord,
    | "bins"
    | "awards"
    | "sites"
    | "timelines"
    | "traded"
    | "soc"
    | "siteCurves"
    | "outages"
    | "events"
    | "siteShortfalls"
    | "outputControls"
    | "reductions"
  > {
  /** By award and `FIGURE`. */
  readonly figures: Float64Array;
  /** In the order of the sites. */
  readonly batteries: readonly BatteryThroughput[];
  /** Values of `SiteMoney`. */
  readonly siteMoney: Float64Array;
  /** Import less export at the market price; `null` without one. */
  readonly costJpyBySite: Float64Array | null;
  readonly importJpyBySite: Float64Array | null;
  readonly componentRows: readonly KindTableRows[];
  /** `null` where rows are not recorded. */
  readonly baselineConflicts: FoundConflicts | null;
  /** `null`: the run is not settled. A settled world has one part, because a market settles all VPPs together. */
  readonly settled: SettledFigures | null;
  /** `null`: no session opened within the run. */
  readonly beforeSession: TotalsBeforeSession | null;
}

/** A record with its part; `null`: the whole world. */
interface RecordedPart {
  readonly part: WorldPart | null;
  readonly record: PartRecord;
}

/** Figures of all awards of the world from those of its parts. */
export function figuresOfParts(spec: WorldSpec, parts: readonly RecordedPart[]): AwardFigures {
  const figures = new AwardFigures(spec);
  for (const { part, record } of parts)
    originsOf(spec, part).forEach((index, k) => {
      figures.setAll(index, record.figures.subarray(k * FIGURE_COUNT, (k + 1) * FIGURE_COUNT));
    });
  return figures;
}

/** Index in the whole world of each award of a part, then of each instruction. */
function originsOf({ awards, instructions }: WorldSpec, part: WorldPart | null): readonly number[] {
  if (part === null) return Array.from({ length: awards.length + instructions.length }, (_, k) => k);
  return [...part.awards, ...part.instructions.map((k) => awards.length + k)];
}

/**
 * The record of a run from those of its parts. Sums over sites and awards are in the order of the whole world, so the result does
 * not depend on the division. What occurred at one instant is in the order of the parts (docs/model/parts.md#order).
 *
 * @param figures  of all awards
 */
export function recordOfParts(spec: WorldSpec, parts: readonly RecordedPart[], figures: AwardFigures): RunRecord {
  const siteNames = spec.sites.map(({ name }) => name);
  const indexByName = parts.length === 1 ? null : new Map(siteNames.map((name, k) => [name, k]));
  const siteOf = (part: WorldPart | null, k: number): number => (part === null ? k : part.sites[k]);
  const ofSite = ({ site }: { readonly site: string }): number => indexByName?.get(site) ?? 0;
  const ofSiteIndex = <Row extends { readonly site: number }>(row: Row, _: number, part: WorldPart | null) =>
    siteOf(part, row.site);
  const byIndex = (_row: unknown, k: number, part: WorldPart | null) => siteOf(part, k);
  const componentTables = componentTablesOf(parts, siteNames);
  const totals = batteryTotals(inOrder(parts, ({ batteries }) => batteries, ofSiteIndex));
  const [{ record: first }] = parts;
  const byAward = (_row: unknown, k: number, part: WorldPart | null): number =>
    part === null ? k : k < part.awards.length ? part.awards[k] : instructionIndex(spec, part, k);
  const { ledger, ...money } = withMoney(spec, parts, figures, {
    sites: inOrder(parts, ({ sites }) => sites, byIndex),
    awards: inOrder(parts, ({ awards }) => awards, byAward),
  });
  const others = { kindFigures: kindFigures(componentTables), settled: first.settled };
  const { sites, awards } = money;
  const kpis = computeKpis(spec, figures, { sites, totals, ledger, ...others });
  const before = inOrder(parts, ({ beforeSession }) => beforeSession?.awards ?? [], byAward);
  return {
    startMs: spec.startMs,
    endMs: spec.endMs,
    investment: spec.investment,
    currency: spec.currency,
    bins: first.bins,
    kpis,
    session:
      first.beforeSession === null ? null : shareOfSession({ ...first.beforeSession, awards: before }, awards, kpis),
    ...money,
    timelines: inOrder(
      parts,
      ({ timelines }) => timelines,
      (_, k, part) => (part === null ? k : part.vpps[k]),
    ),
    traded: tradedOfParts(parts.map(({ record }) => record.traded)),
    soc: { batteries: inOrder(parts, ({ soc }) => soc.batteries, ofSite) },
    siteCurves: inOrder(parts, ({ siteCurves }) => siteCurves, byIndex),
    outages: parts.flatMap(({ record }) => record.outages),
    events: inOrder(
      parts,
      ({ events }) => events,
      ({ atMs }) => atMs,
    ),
    siteShortfalls: inOrder(parts, ({ siteShortfalls }) => siteShortfalls, ofSite),
    outputControls: inOrder(
      parts,
      ({ outputControls }) => outputControls,
      ({ startMs }) => startMs,
    ),
    reductions: inReductionOrder(parts, ofSite),
    componentTables,
    warnings: [
      ...plannedOutageWarnings(spec),
      ...conflictWarnings(parts.flatMap(({ record }) => record.baselineConflicts ?? [])),
    ],
  };
}

function componentTablesOf(parts: readonly RecordedPart[], siteNames: readonly string[]): readonly KindTable[] {
  const rows = parts.flatMap(({ part, record }) =>
    record.componentRows.map((row) => ({ ...row, site: part === null ? row.site : part.sites[row.site] })),
  );
  const bySite = rows.sort((a, b) => a.site - b.site);
  return kindTables(bySite, siteNames);
}

function batteryTotals(batteries: PartRecord["batteries"]) {
  const totals = { cellDischargeKwh: 0, ratedCapKwh: 0, ratedKw: 0 };
  for (const { cellDischargeKwh, ratedCapKwh, ratedKw } of batteries) {
    totals.ratedKw += ratedKw;
    totals.cellDischargeKwh += cellDischargeKwh;
    totals.ratedCapKwh += ratedCapKwh;
  }
  return totals;
}

/** The rows of all parts in an order of the whole world. */
function inOrder<Row>(
  parts: readonly RecordedPart[],
  rowsOf: (record: PartRecord) => readonly Row[],
  place: (row: Row, k: number, part: WorldPart | null) => number,
): readonly Row[] {
  if (parts.length === 1) return rowsOf(parts[0].record);
  const rows: Row[] = [];
  const places: number[] = [];
  let isInOrder = true;
  for (const { part, record } of parts)
    rowsOf(record).forEach((row, k) => {
      const at = place(row, k, part);
      isInOrder &&= places.length === 0 || places[places.length - 1] <= at;
      rows.push(row);
      places.push(at);
    });
  if (isInOrder) return rows;
  // Rows of equal places stay in the order of the parts.
  const order = Uint32Array.from(places.keys()).sort((a, b) => places[a] - places[b] || a - b);
  return Array.from(order, (k) => rows[k]);
}

const instructionIndex = ({ awards }: WorldSpec, part: WorldPart, k: number): number =>
  awards.length + part.instructions[k - part.awards.length];

/** By start, then in the order of the sites. */
function inReductionOrder(parts: readonly RecordedPart[], ofSite: (row: { readonly site: string }) => number) {
  if (parts.length === 1) return parts[0].record.reductions;
  const rows = parts.flatMap(({ record }) => record.reductions);
  return rows.sort((a, b) => a.startMs - b.startMs || ofSite(a) - ofSite(b));
}

/** Closes the ledger of the run. @returns also the rows of sites and awards with what they earn and cost */
function withMoney(
  spec: WorldSpec,
  parts: readonly RecordedPart[],
  figures: AwardFigures,
  rows: Pick<RunRecord, "sites" | "awards">,
): Pick<RunRecord, "sites" | "siteless" | "awards" | "trade"> & { readonly ledger: Ledger } {
  const open = { awards: awardAmounts(spec, figures), sites: siteTotals(spec, parts, rows.sites) };
  const ledger = closeLedger(spec, figures, open);
  const money = siteMoneyRows(spec, ledger, open);
  const siteless = money[rows.sites.length];
  const awardMoney = ledger.profitJpy === null ? null : awardMoneyRows(figures.origins, ledger, open);
  return {
    ledger,
    trade: energyTrade(spec, open.sites),
    sites: rows.sites.map((row, k) => ({ ...row, money: money[k] })),
    siteless: hasMoney(siteless) ? siteless : null,
    awards: awardMoney === null ? rows.awards : rows.awards.map((row, k) => ({ ...row, ...awardMoney[k] })),
  };
}

/** @param rows  of all sites; none where rows are not recorded */
function siteTotals({ sites }: WorldSpec, parts: readonly RecordedPart[], rows: readonly SiteRow[]): SiteTotals[] {
  const totals = sites.map((_, k) => ({
    importKwh: rows[k].importKwh,
    exportKwh: rows[k].exportKwh,
    dischargedKwh: 0,
    netImportJpy: 0,
    importJpy: 0,
    amounts: NO_AMOUNTS,
  }));
  for (const { part, record } of parts) {
    const siteOf = (k: number): number => (part === null ? k : part.sites[k]);
    for (const { site, dischargedKwh } of record.batteries) totals[siteOf(site)].dischargedKwh += dischargedKwh;
    record.sites.forEach((_, k) => {
      totals[siteOf(k)].netImportJpy = record.costJpyBySite?.[k] ?? 0;
      totals[siteOf(k)].importJpy = record.importJpyBySite?.[k] ?? 0;
      totals[siteOf(k)].amounts = amountsOf(record.siteMoney, k);
    });
  }
  return totals;
}

/**
 * One sentence for each planned maintenance of a member that overlaps awards, because registration does not take it
 * into account (docs/model/allocation.md#planned-maintenance).
 */
function plannedOutageWarnings(spec: WorldSpec): string[] {
  return plannedOutages(spec).flatMap(({ site, startMs, endMs }) => {
    const overlapped = spec.awards.filter(
      (award) =>
        startMs < award.endMs &&
        award.startMs < endMs &&
        spec.vpps[award.vpp].members.some((member) => member.site === site),
    );
    if (overlapped.length === 0) return [];
    const until = Number.isFinite(endMs) ? ` to ${isoUtc(endMs)}` : "";
    return `planned maintenance of ${spec.sites[site].name} from ${isoUtc(startMs)}${until} overlaps ${listNames(overlapped.map(({ awardId }) => awardId))}`;
  });
}

function plannedOutages({ sites, events }: WorldSpec): (Period & { readonly site: number })[] {
  const planned = sites.flatMap(({ maintenance }, site) => maintenance.map((period) => ({ ...period, site })));
  for (const event of events)
    if (event.kind === "maintenance") planned.push({ site: event.site, startMs: event.atMs, endMs: event.untilMs });
  return planned;
}

const NAMES_MAX = 3;

function listNames(names: readonly string[]): string {
  const listed = names.slice(0, NAMES_MAX).join(", ");
  const more = names.length - NAMES_MAX;
  return `${names.length === 1 ? "award" : `${names.length} awards`}: ${listed}${more > 0 ? ` and ${more} more` : ""}`;
}
