import { expect } from "vitest";
import type { FcrFigures } from "../../src/accounting/runRecord.ts";
import type { WorldSpec } from "../../src/simulation/worldSpec.ts";
import type { SiteSpec } from "../../src/site/siteSpec.ts";
import {
  awardRow,
  awardsOf,
  causesOf,
  dispatchOf,
  eastOf,
  eventsOf,
  instructionsOf,
  powerOf,
  type Ran,
  round3,
  runSites,
  siteRow,
} from "./tinyWorld.ts";

/** What is said of an award's row: kWh to three decimals, causes that are not 0. */
export interface AwardStory {
  readonly state?: string;
  readonly by?: string | null;
  readonly error?: string | null;
  readonly minutes?: number;
  readonly uncoveredKw?: number | null;
  readonly requested?: number | null;
  readonly delivered?: number | null;
  readonly shortfall?: number | null;
  readonly excess?: number | null;
  readonly compliancePct?: number | null;
  /** Of the width; `null` for an award without one. */
  readonly fcr?: Partial<Omit<FcrFigures, "uncoveredByCauseKw">> | null;
  readonly fcrCauses?: Record<string, number>;
  readonly causes?: Record<string, number>;
  readonly uncoveredCauses?: Record<string, number>;
}

export interface SiteStory {
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
export interface Story {
  readonly why: string;
  readonly sites: readonly SiteSpec[];
  /** Default: 1 each. */
  readonly weights?: readonly number[];
  readonly options?: Parameters<typeof eastOf>[2];
  readonly awards?: readonly string[];
  readonly instructions?: readonly string[];
  readonly events?: readonly string[];
  readonly world?: Partial<WorldSpec>;
  /** By award: one line for each time somebody was told something. */
  readonly told?: Readonly<Record<string, readonly string[]>>;
  readonly rows?: Readonly<Record<string, AwardStory>>;
  /** By site: current_kw at whole minutes, where it changes. */
  readonly power?: Readonly<Record<string, readonly string[]>>;
  readonly becomes?: Readonly<Record<string, SiteStory>>;
  /** Lines "kind subject: detail" that the event table must hold, in this order. */
  readonly happens?: readonly string[];
}

export function runStory(story: Story): Ran {
  const { sites } = story;
  return runSites(sites, {
    vpps: [eastOf(sites, story.weights ?? sites.map(() => 1), story.options)],
    awards: awardsOf(...(story.awards ?? [])),
    instructions: instructionsOf(...(story.instructions ?? [])),
    events: eventsOf(...(story.events ?? [])),
    ...story.world,
  });
}

export function checkStory(story: Story): void {
  const ran = runStory(story);
  for (const [id, lines] of Object.entries(story.told ?? {})) expect(dispatchOf(ran, id), id).toEqual(lines);
  for (const [id, expected] of Object.entries(story.rows ?? {})) checkAward(ran, id, expected);
  for (const [name, lines] of Object.entries(story.power ?? {})) expect(powerOf(ran, name), name).toEqual(lines);
  for (const [name, expected] of Object.entries(story.becomes ?? {})) checkSite(ran, name, expected);
  if (story.happens !== undefined) {
    const found = ran.events.map(({ kind, subject, detail }) => `${kind} ${subject}: ${detail}`);
    expect(found.filter((line) => story.happens?.includes(line))).toEqual(story.happens);
  }
}

function checkAward(ran: Ran, id: string, expected: AwardStory): void {
  const row = awardRow(ran, id);
  const kwh = (value: number | null) => (value === null ? null : round3(value));
  const found: AwardStory = {
    state: row.state,
    by: row.overwrittenBy,
    error: row.errorType,
    minutes: round3(row.executedMinutes),
    uncoveredKw: row.uncoveredKw,
    requested: kwh(row.requestedKwh),
    delivered: kwh(row.deliveredKwh),
    shortfall: kwh(row.shortfallKwh),
    excess: kwh(row.excessKwh),
    compliancePct: kwh(row.compliancePct),
    fcr: row.fcr === null ? null : roundedFcr(row.fcr),
    fcrCauses: row.fcr === null ? {} : causesOf(row.fcr.uncoveredByCauseKw),
    causes: causesOf(row.shortfallByCauseKwh),
    uncoveredCauses: causesOf(row.uncoveredByCauseKw),
  };
  expect(found, id).toMatchObject(expected);
}

/** The figures to three decimals, without the causes. */
function roundedFcr({ uncoveredByCauseKw: _, ...figures }: FcrFigures): Omit<FcrFigures, "uncoveredByCauseKw"> {
  const rounded = Object.entries(figures).map(([name, value]) => [name, value === null ? null : round3(value)]);
  return Object.fromEntries(rounded);
}

function checkSite(ran: Ran, name: string, expected: SiteStory): void {
  const row = siteRow(ran, name);
  const found = Object.fromEntries(
    Object.keys(expected).map((key) => {
      const value = row[key as keyof SiteStory];
      return [key, value === null ? null : round3(value)];
    }),
  );
  expect(found, name).toEqual(expected);
}
