/**
 * Many VPPs that share nothing, in one scenario: `vppsim run` as a process of its own with one thread and with several, in turn.
 *
 *   npx tsx bench/portfolio.ts [VPPs] [members of each] [days] [threads] [Redis URL]
 *
 * Members are batteries with random outages, each VPP has an award every half hour. Needs `npm run build`. The hash of the answer is that
 * of all report files, and must be the same for any number of threads. With the URL of a Redis server, the parts are also distributed to a
 * `vppsim worker` of as many threads, whose processor time is not counted.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isoUtc, MS_PER_DAY, MS_PER_HALF_HOUR } from "../src/base/time.ts";
import { BUILT, medianOf, type ProcessCost, runFolder } from "./fleetYear.ts";

const START_MS = Date.UTC(2026, 3, 1);
const RUNS = 5;

export interface PortfolioRow {
  /** Such as "2 threads". */
  readonly name: string;
  readonly cost: ProcessCost;
  /** Processor time for a million half hours of members. */
  readonly cpuSPerMillion: number;
}

interface Workload {
  readonly vpps: number;
  readonly members: number;
  readonly days: number;
}

/** @param command  arguments of node that start vppsim; by default the built one */
export function run(
  { vpps, members, days, threads, redis }: Workload & { readonly threads: number; readonly redis?: string },
  command: readonly string[] = BUILT,
): PortfolioRow[] {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-portfolio-"));
  const worker =
    redis === undefined
      ? null
      : spawn(process.execPath, [...command, "worker", "--redis", redis, "--concurrency", `${threads}`]);
  try {
    writePortfolio(folder, { vpps, members, days });
    const ways = [
      { name: "1 thread", flags: ["--workers", "1"] },
      { name: `${threads} threads`, flags: ["--workers", `${threads}`] },
      ...(redis === undefined ? [] : [{ name: `a worker of ${threads} threads`, flags: ["--redis", redis] }]),
    ];
    const costs: ProcessCost[][] = ways.map(() => []);
    for (let k = 0; k < RUNS; k++) ways.forEach(({ flags }, n) => costs[n].push(runFolder(folder, command, flags)));
    medianOf(costs.flat());
    const millions = (vpps * members * days * 48) / 1e6;
    return ways.map(({ name }, n) => {
      const cost = medianOf(costs[n]);
      return { name, cost, cpuSPerMillion: (cost.userS + cost.systemS) / millions };
    });
  } finally {
    worker?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes scenario.yaml and awards.csv. */
export function writePortfolio(folder: string, { vpps, members, days }: Workload): void {
  mkdirSync(folder, { recursive: true });
  const numbers = Array.from({ length: vpps }, (_, v) => v);
  const sites = numbers.map(
    (v) => `  - name: v${v}-{n:03}
    count: ${members}
    components:
      - {component_id: bat, component_type: battery, rated_cap: ${1000 + 10 * (v % 50)}, import_pwr_max: 500, export_pwr_max: 500, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50}}
    outages: {mtbf: PT300H, mttr: PT2H}
`,
  );
  const vppLines = numbers.map(
    (v) => `  - {name: vpp-${v}, members: [{site: "v${v}-*", resource_type: battery, allocation_weight: 100}]}
`,
  );
  writeFileSync(
    join(folder, "scenario.yaml"),
    `version: 1
name: portfolio
start: ${isoUtc(START_MS)}
end: ${isoUtc(START_MS + days * MS_PER_DAY)}
seed: 1
sites:
${sites.join("")}vpps:
${vppLines.join("")}awards:
  - {file: awards.csv}
report: {interval: PT30M, formats: [csv], omit: [dispatch, events]}
`,
  );
  const rows = ["award_id,vpp,sku,start,end,delta_kw"];
  for (let slot = 0; slot < 48 * days; slot++)
    for (const v of numbers) {
      const startMs = START_MS + slot * MS_PER_HALF_HOUR;
      const period = `${isoUtc(startMs)},${isoUtc(startMs + MS_PER_HALF_HOUR)}`;
      // Export and import in turn, from 10 to 300 kW a member.
      const deltaKw = (slot % 2 === 0 ? -1 : 1) * members * (10 + ((37 * v + 11 * slot) % 290));
      rows.push(`A-${v}-${slot},vpp-${v},frr,${period},${deltaKw}`);
    }
  writeFileSync(join(folder, "awards.csv"), `${rows.join("\n")}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [vpps = 50, members = 100, days = 7, threads = 2] = process.argv.slice(2, 6).map(Number);
  const [redis] = process.argv.slice(6);
  console.log(`${vpps} VPPs of ${members} members, ${days} days`);
  for (const { name, cost, cpuSPerMillion } of run({ vpps, members, days, threads, redis })) {
    const cpu = `CPU ${(cost.userS + cost.systemS).toFixed(2)} s (${cpuSPerMillion.toFixed(2)} s a million half hours of members)`;
    console.log(
      `${name}: wall ${cost.wallS.toFixed(2)} s, ${cpu}, peak ${cost.peakMb.toFixed(0)} MB, answer ${cost.hash}`,
    );
  }
}
