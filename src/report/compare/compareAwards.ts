import { AWARD_FIGURES, FCR_FIGURES } from "../../accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../../accounting/settlement/causes.ts";
import { roundTo } from "../../base/rounding.ts";
import { isoUtc } from "../../base/time.ts";
import { readTopContributors, shortfallColumn, uncoveredColumn } from "../tables/awardsTable.ts";
import { type CsvRow, readNumberCell } from "../tables/readTable.ts";
import { changeOf } from "./manyReports.ts";

/** One award in B compared with A. Differences are B − A. */
export interface AwardChange {
  readonly award_id: string;
  readonly shortfall_kwh: Difference;
  /** Magnitudes. */
  readonly uncovered_kw: Difference;
  /** Figures of its frequency response by column of awards.csv; empty if neither run requested any. */
  readonly fcr: Readonly<Record<string, Difference>>;
  readonly state: { readonly a: string; readonly b: string };
  /** Causes that changed, largest change first: kWh, or uncovered kW if the energy is the same. */
  readonly causes: readonly CauseChange[];
  readonly cause_unit: "kWh" | "kW";
}

export interface Difference {
  readonly a: number | null;
  readonly b: number | null;
  readonly difference: number | null;
}

export interface CauseChange {
  readonly cause: Cause;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
}

export interface AwardComparison {
  readonly compared: number;
  readonly unchanged: number;
  /** Improved: less shortfall in B than in A, or equal shortfall and less uncovered power. Largest change first. */
  readonly improved: readonly AwardChange[];
  /** Worsened: the opposite. */
  readonly worsened: readonly AwardChange[];
  /** Same amounts, but another state or other causes. */
  readonly otherwise_changed: readonly AwardChange[];
  readonly only_in_a: readonly string[];
  readonly only_in_b: readonly string[];
  /** Total shortfall of each report by cause, in kWh. */
  readonly causes: readonly CauseChange[];
  /** Shortfall of each report by site, in kWh, as far as `most_lacking_kwh` names the sites; largest change first. */
  readonly sites: readonly SiteShortfallChange[];
}

interface SiteShortfallChange {
  readonly site: string;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
}

/** Shortfall accumulated until an instant, in kWh. */
export interface ShortfallPoint {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly a: number;
  readonly b: number;
}

const { shortfallKwh: SHORTFALL, uncoveredKw: UNCOVERED } = AWARD_FIGURES;

type Awards = ReadonlyMap<string, CsvRow>;

export function compareAwards(a: Awards, b: Awards): AwardComparison {
  const shared = [...a.keys()].filter((id) => b.has(id));
  const changes = shared.map((id) => awardChange(id, rowOf(a, id), rowOf(b, id)));
  const improved = changes.filter((change) => shortfallIncrease(change) < 0);
  const worsened = changes.filter((change) => 0 < shortfallIncrease(change));
  const otherwise = changes.filter((change) => shortfallIncrease(change) === 0 && differs(change));
  return {
    compared: shared.length,
    unchanged: shared.length - improved.length - worsened.length - otherwise.length,
    improved: largestFirst(improved),
    worsened: largestFirst(worsened),
    otherwise_changed: otherwise,
    only_in_a: [...a.keys()].filter((id) => !b.has(id)),
    only_in_b: [...b.keys()].filter((id) => !a.has(id)),
    causes: totalsByCause(a, b),
    sites: totalsBySite(a, b),
  };
}

const POINTS_MAX = 400;

/** The accumulated shortfall of both reports from a start on, at the end of each award; at most POINTS_MAX points. */
export function shortfallOverTime(a: Awards, b: Awards, start: string): readonly ShortfallPoint[] {
  const steps = [...stepsOf(a, "a"), ...stepsOf(b, "b")].sort((x, y) => x.atMs - y.atMs);
  const startMs = Date.parse(start);
  const sum = { a: 0, b: 0 };
  const points: { readonly atMs: number; readonly a: number; readonly b: number }[] = [{ atMs: startMs, ...sum }];
  for (const { atMs, kwh, report } of steps) {
    sum[report] += kwh;
    if (points[points.length - 1].atMs === atMs) points.pop();
    points.push({ atMs, a: roundTo(sum.a, 3), b: roundTo(sum.b, 3) });
  }
  const every = Math.max(1, Math.ceil(points.length / POINTS_MAX));
  return points
    .filter((_, k) => k % every === 0 || k === points.length - 1)
    .map(({ atMs, ...amounts }) => ({ at: isoUtc(atMs), ...amounts }));
}

function stepsOf(awards: Awards, report: "a" | "b") {
  return [...awards.values()].flatMap((row) => {
    const atMs = Date.parse(row.end ?? "");
    const kwh = readNumberCell(row, SHORTFALL.name);
    return Number.isNaN(atMs) || kwh === null ? [] : [{ atMs, kwh, report }];
  });
}

export const differenceOf = (a: number | null, b: number | null): Difference => ({ a, b, difference: changeOf(a, b) });

const rowOf = (awards: Awards, id: string): CsvRow => awards.get(id) ?? {};

function awardChange(id: string, a: CsvRow, b: CsvRow): AwardChange {
  const shortfall = differenceOf(readNumberCell(a, SHORTFALL.name), readNumberCell(b, SHORTFALL.name));
  const inEnergy = causeChanges(a, b, shortfallColumn);
  const inPower = causeChanges(a, b, uncoveredColumn);
  const isEnergy = inEnergy.length > 0;
  return {
    award_id: id,
    shortfall_kwh: shortfall,
    uncovered_kw: differenceOf(magnitude(a, UNCOVERED.name), magnitude(b, UNCOVERED.name)),
    fcr: fcrDifferences(a, b),
    state: { a: a.state ?? "", b: b.state ?? "" },
    causes: isEnergy ? inEnergy : inPower,
    cause_unit: isEnergy ? "kWh" : "kW",
  };
}

function causeChanges(a: CsvRow, b: CsvRow, column: (cause: Cause) => string): readonly CauseChange[] {
  return CAUSES.map((cause, k) => {
    const amountA = magnitude(a, column(cause)) ?? 0;
    const amountB = magnitude(b, column(cause)) ?? 0;
    return { k, change: { cause, a: amountA, b: amountB, difference: roundTo(amountB - amountA, 3) } };
  })
    .filter(({ change }) => change.difference !== 0)
    .sort((x, y) => Math.abs(y.change.difference) - Math.abs(x.change.difference) || x.k - y.k)
    .map(({ change }) => change);
}

function fcrDifferences(a: CsvRow, b: CsvRow): Readonly<Record<string, Difference>> {
  const differences = Object.values(FCR_FIGURES).map(
    ({ name }) => [name, differenceOf(readNumberCell(a, name), readNumberCell(b, name))] as const,
  );
  return Object.fromEntries(differences.filter(([, difference]) => difference.a !== null || difference.b !== null));
}

function magnitude(row: CsvRow, column: string): number | null {
  const value = readNumberCell(row, column);
  return value === null ? null : Math.abs(value);
}

/** Increase of the shortfall from A to B; if 0, of the uncovered power; if 0, of the uncovered FCR capacity. */
function shortfallIncrease({ shortfall_kwh, uncovered_kw, fcr }: AwardChange): number {
  const { fcr_uncovered_kw: uncoveredFcr } = fcr;
  return increase(shortfall_kwh) || increase(uncovered_kw) || (uncoveredFcr === undefined ? 0 : increase(uncoveredFcr));
}

/** A value that does not apply counts as 0. */
const increase = ({ a, b }: Difference): number => roundTo((b ?? 0) - (a ?? 0), 3);

const differs = ({ state, causes, fcr }: AwardChange): boolean =>
  state.a !== state.b || causes.length > 0 || Object.values(fcr).some(({ a, b }) => a !== b);

/** By change of shortfall, then of uncovered power, then in file order. */
function largestFirst(changes: readonly AwardChange[]): readonly AwardChange[] {
  const energy = (change: AwardChange): number => Math.abs(increase(change.shortfall_kwh));
  const power = (change: AwardChange): number => Math.abs(increase(change.uncovered_kw));
  return changes
    .map((change, k) => ({ change, k }))
    .sort((x, y) => energy(y.change) - energy(x.change) || power(y.change) - power(x.change) || x.k - y.k)
    .map(({ change }) => change);
}

function totalsBySite(a: Awards, b: Awards): readonly SiteShortfallChange[] {
  const [inA, inB] = [a, b].map(shortfallBySite);
  const sites = [...new Set([...inA.keys(), ...inB.keys()])];
  return sites
    .map((site) => {
      const [kwhA, kwhB] = [inA, inB].map((totals) => roundTo(totals.get(site) ?? 0, 3));
      return { site, a: kwhA, b: kwhB, difference: roundTo(kwhB - kwhA, 3) };
    })
    .sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));
}

/** As far as `most_lacking_kwh` names the sites. */
function shortfallBySite(awards: Awards): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const row of awards.values())
    for (const { site, kwh } of readTopContributors(row.most_lacking_kwh ?? ""))
      totals.set(site, (totals.get(site) ?? 0) + kwh);
  return totals;
}

function totalsByCause(a: Awards, b: Awards): readonly CauseChange[] {
  const total = (awards: Awards, cause: Cause): number => {
    let sum = 0;
    for (const row of awards.values()) sum += readNumberCell(row, shortfallColumn(cause)) ?? 0;
    return roundTo(sum, 3);
  };
  return CAUSES.map((cause) => {
    const totalA = total(a, cause);
    const totalB = total(b, cause);
    return { cause, a: totalA, b: totalB, difference: roundTo(totalB - totalA, 3) };
  }).filter((change) => change.a !== 0 || change.b !== 0);
}
