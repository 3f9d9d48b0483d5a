/**
 * How the time of a run grows with its length and its members: the simulated world and its books, without files.
 *
 *   npx tsx bench/scaling.ts
 *
 * A change is one member's new trajectory at one award. Its time is set against that of the largest run: 1.00 throughout would
 * be a run that costs what happens in it and nothing else. The hash is that of all awards' figures.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MS_PER_DAY } from "../src/base/time.ts";
import type { WorldSpec } from "../src/engine/simulation/worldSpec.ts";
import { writeFiles } from "../src/inputs/datagen/disk/writeFiles.ts";
import { fleetFiles } from "../src/inputs/datagen/fleetFiles.ts";
import { loadScenario } from "../src/inputs/scenario/loadScenario.ts";
import { runWorld } from "../test/runWorld.ts";

export interface ScalingRow {
  readonly days: number;
  readonly members: number;
  readonly events: number;
  readonly changes: number;
  readonly ms: number;
  /** First 16 hex digits of the SHA-256 of the awards' figures. */
  readonly hash: string;
}

/** @param days     each length, ascending @param members each number of members, out of 100 */
export function run(days: readonly number[], members: readonly number[]): ScalingRow[] {
  const fleet = generateFleet(Math.max(...days));
  return days.flatMap((length) => members.map((count) => measure(fleetSubset(fleet, length, count), length, count)));
}

export function generateFleet(days: number): WorldSpec {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-scaling-"));
  try {
    writeFiles(folder, fleetFiles("fleet", days));
    return loadScenario(join(folder, "scenario.yaml")).world;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first days of a fleet, and every so-manieth of its sites; awards ask for that part of the power. */
export function fleetSubset(fleet: WorldSpec, days: number, count: number): WorldSpec {
  const endMs = fleet.startMs + days * MS_PER_DAY;
  const kept = Array.from({ length: count }, (_, k) => Math.floor((k * fleet.sites.length) / count));
  const share = count / fleet.sites.length;
  return {
    ...fleet,
    endMs,
    sites: kept.map((index) => fleet.sites[index]),
    vpps: fleet.vpps.map((vpp) => ({
      ...vpp,
      members: vpp.members.flatMap((member) => {
        const site = kept.indexOf(member.site);
        return site < 0 ? [] : [{ ...member, site }];
      }),
    })),
    awards: fleet.awards
      .filter((award) => award.startMs < endMs)
      .map((award) => ({
        ...award,
        deltaKw: award.deltaKw === null ? null : Math.round(award.deltaKw * share * 10) / 10,
      })),
    events: fleet.events.flatMap((event) => {
      if (event.atMs >= endMs || !("site" in event)) return [];
      const site = kept.indexOf(event.site);
      return site < 0 ? [] : [{ ...event, site }];
    }),
  };
}

function measure(spec: WorldSpec, days: number, members: number): ScalingRow {
  let ms = Number.POSITIVE_INFINITY;
  let figures = "";
  let events = 0;
  // Short runs are measured warm and more than once; a year says enough by itself.
  for (let round = 0; round < (days > 90 ? 1 : 3); round++) {
    const startedMs = performance.now();
    const { awards, eventCount } = runWorld(spec, { intervalMs: 1_800_000, timelines: false });
    ms = Math.min(ms, performance.now() - startedMs);
    events = eventCount;
    figures = JSON.stringify(
      awards.map(({ awardId, uncoveredKw, deliveredKwh }) => [awardId, uncoveredKw, deliveredKwh]),
    );
  }
  const hash = createHash("sha256").update(figures).digest("hex").slice(0, 16);
  return { days, members, events, changes: spec.awards.length * members, ms, hash };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rows = run([1, 7, 30, 90, 365], [1, 10, 100]);
  const perChange = ({ ms, changes }: ScalingRow) => (1000 * ms) / changes;
  const largest = perChange(rows[rows.length - 1]);
  console.log("days members   events   changes        ms  us/change  ratio  answer");
  for (const row of rows) {
    const counts = [row.days, row.members, row.events, row.changes].map((n, k) => String(n).padStart([4, 7, 8, 9][k]));
    const times = [row.ms.toFixed(1).padStart(9), perChange(row).toFixed(2).padStart(10)];
    console.log([...counts, ...times, (perChange(row) / largest).toFixed(2).padStart(6), ` ${row.hash}`].join(" "));
  }
}
