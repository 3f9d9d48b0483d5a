import { expect } from "vitest";
import type { AwardRow, FcrFigures } from "../../src/accounting/settlement/awardRows.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import {
  dispatchLines,
  eastVpp,
  findAwardRow,
  findSiteRow,
  nonZeroCauses,
  parseAwards,
  parseEvents,
  parseInstructions,
  powerLines,
  type RunTables,
  round3,
  runSites,
} from "./smallWorld.ts";

/** What is said of an award's row: kWh to three decimals, causes that are not 0. */
export interface ExpectedAward
  extends Partial<Omit<AwardRow, "fcr" | "shortfallByCauseKwh" | "uncoveredByCauseKw" | "topContributors">> {
  /** Of the FCR capacity; `null` for an award without one. */
  readonly fcr?: Partial<Omit<FcrFigures, "uncoveredByCauseKw">> | null;
  readonly fcrUncoveredByCauseKw?: Record<string, number>;
  readonly shortfallByCauseKwh?: Record<string, number>;
  readonly uncoveredByCauseKw?: Record<string, number>;
}

export interface ExpectedSite {
  readonly importKwh?: number;
  readonly exportKwh?: number;
  readonly availabilityPct?: number;
  readonly plannedOutagePct?: number;
  readonly socFinalPct?: number;
  readonly minutesAtSocMin?: number;
  readonly minutesAtSocMax?: number;
  readonly curtailedKwh?: number;
  readonly fitCurtailedKwh?: number;
  readonly manualCurtailedKwh?: number;
  readonly drDeliveredKwh?: number;
  readonly equivalentFullCycles?: number;
  readonly throughputKwh?: number;
}

/** Two hours of a VPP "east" from 00:00 on and what must have come of them. */
export interface WorldCase {
  readonly title: string;
  readonly sites: readonly SiteSpec[];
  /** Default: 1 each. */
  readonly weights?: readonly number[];
  readonly options?: Parameters<typeof eastVpp>[2];
  readonly awards?: readonly string[];
  readonly instructions?: readonly string[];
  readonly events?: readonly string[];
  readonly world?: Partial<WorldSpec>;
  /** By award: one line for each time at which set-points were sent. */
  readonly dispatches?: Readonly<Record<string, readonly string[]>>;
  readonly expectedAwards?: Readonly<Record<string, ExpectedAward>>;
  /** By site: current_kw at whole minutes, where it changes. */
  readonly powerKw?: Readonly<Record<string, readonly string[]>>;
  readonly expectedSites?: Readonly<Record<string, ExpectedSite>>;
  /** Lines "kind subject: detail" that the event table must hold, in this order. */
  readonly expectedEvents?: readonly string[];
}

export function runWorldCase(story: WorldCase): RunTables {
  const { sites } = story;
  return runSites(sites, {
    vpps: [eastVpp(sites, story.weights ?? sites.map(() => 1), story.options)],
    awards: parseAwards(...(story.awards ?? [])),
    instructions: parseInstructions(...(story.instructions ?? [])),
    events: parseEvents(...(story.events ?? [])),
    ...story.world,
  });
}

export function checkWorldCase(story: WorldCase): void {
  const ran = runWorldCase(story);
  for (const [id, lines] of Object.entries(story.dispatches ?? {})) expect(dispatchLines(ran, id), id).toEqual(lines);
  for (const [id, expected] of Object.entries(story.expectedAwards ?? {})) checkAward(ran, id, expected);
  for (const [name, lines] of Object.entries(story.powerKw ?? {})) expect(powerLines(ran, name), name).toEqual(lines);
  for (const [name, expected] of Object.entries(story.expectedSites ?? {})) checkSite(ran, name, expected);
  if (story.expectedEvents !== undefined) {
    const found = ran.events.map(({ kind, subject, detail }) => `${kind} ${subject}: ${detail}`);
    expect(found.filter((line) => story.expectedEvents?.includes(line))).toEqual(story.expectedEvents);
  }
}

function checkAward(ran: RunTables, id: string, expected: ExpectedAward): void {
  const row = findAwardRow(ran, id);
  const found = {
    ...rounded(row),
    fcr: row.fcr === null ? null : rounded(row.fcr),
    fcrUncoveredByCauseKw: row.fcr === null ? {} : nonZeroCauses(row.fcr.uncoveredByCauseKw),
    shortfallByCauseKwh: nonZeroCauses(row.shortfallByCauseKwh),
    uncoveredByCauseKw: nonZeroCauses(row.uncoveredByCauseKw),
  };
  expect(found, id).toMatchObject(expected);
}

/** The numbers to three decimals. */
const rounded = (figures: AwardRow | FcrFigures): object =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, typeof value === "number" ? round3(value) : value]),
  );

function checkSite(ran: RunTables, name: string, expected: ExpectedSite): void {
  const row = findSiteRow(ran, name);
  const found = Object.fromEntries(
    Object.keys(expected).map((key) => {
      const value = row[key as keyof ExpectedSite];
      return [key, value === null ? null : round3(value)];
    }),
  );
  expect(found, name).toEqual(expected);
}
