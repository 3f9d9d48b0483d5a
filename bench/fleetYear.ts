/**
 * The canonical workload as a user meets it: `vppsim run` on a year of 100 members, whole process, files in and out.
 *
 *   npx tsx bench/fleetYear.ts [folder of a scenario] [runs]
 *
 * Without a folder it is scenarios/fleet-year, whose series are generated when they are not there. Needs `npm run build`.
 * Time is the median run's; the hash of the answer is that of all report files, and must be the same in every run.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeFiles } from "../src/inputs/datagen/disk/writeFiles.ts";
import { FLEET_DAYS, fleetFiles } from "../src/inputs/datagen/fleetFiles.ts";

const PROJECT = fileURLToPath(new URL("../", import.meta.url));
/** How the built command is started; a test starts it from its source. */
export const BUILT = [join(PROJECT, "dist/cli/main.js")];

export interface ProcessCost {
  readonly wallS: number;
  readonly userS: number;
  readonly systemS: number;
  readonly peakMb: number;
  /** First 16 hex digits of the SHA-256 of the digests of all report files. */
  readonly hash: string;
}

/**
 * Runs the scenario of a folder in a process of its own.
 *
 * @param command  arguments of node that start vppsim
 * @param flags    further flags of `vppsim run`
 */
export function runFolder(
  folder: string,
  command: readonly string[] = BUILT,
  flags: readonly string[] = [],
): ProcessCost {
  const out = mkdtempSync(join(tmpdir(), "vppsim-bench-"));
  try {
    const args = [
      "--import",
      REPORT_USAGE_MODULE,
      ...command,
      "run",
      join(folder, "scenario.yaml"),
      "--out",
      join(out, "report"),
    ];
    const startedMs = performance.now();
    const child = spawnSync(process.execPath, [...args, ...flags, "--quiet"], {
      stdio: ["ignore", "ignore", "inherit", "pipe"],
      encoding: "utf8",
    });
    const wallS = (performance.now() - startedMs) / 1000;
    if (child.status !== 0) throw new Error(`vppsim ended with status ${child.status}`);
    const cost = JSON.parse(child.output[3] ?? "") as NodeJS.ResourceUsage;
    const { files } = JSON.parse(readFileSync(join(out, "report/run.json"), "utf8")) as { files: object };
    return {
      wallS,
      userS: cost.userCPUTime / 1e6,
      systemS: cost.systemCPUTime / 1e6,
      peakMb: cost.maxRSS / 1024,
      hash: createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16),
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** A module that has the process tell what it cost, when it ends, to its fourth descriptor. */
const REPORT_USAGE_MODULE = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, JSON.stringify(process.resourceUsage())));',
)}`;

/** The run whose wall time is the middle one. @throws when two runs differ in their answer */
export function medianOf(runs: readonly ProcessCost[]): ProcessCost {
  for (const { hash } of runs)
    if (hash !== runs[0].hash) throw new Error(`two runs of one scenario differ: ${hash} and ${runs[0].hash}`);
  return [...runs].sort((a, b) => a.wallS - b.wallS)[runs.length >> 1];
}

/** The shipped folder, with its series. */
export function fleetYearFolder(): string {
  const folder = join(PROJECT, "scenarios/fleet-year");
  if (!existsSync(join(folder, "pv.csv")))
    writeFiles(folder, fleetFiles("fleet-year", FLEET_DAYS.get("fleet-year") ?? 365));
  return folder;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2] ?? fleetYearFolder();
  const count = Number(process.argv[3] ?? 5);
  if (!existsSync(BUILT[0])) throw new Error(`found no ${BUILT[0]}: npm run build makes it`);
  runFolder(folder);
  const { wallS, userS, systemS, peakMb, hash } = medianOf(Array.from({ length: count }, () => runFolder(folder)));
  const cpu = `CPU ${(userS + systemS).toFixed(2)} s (user ${userS.toFixed(2)}, system ${systemS.toFixed(2)})`;
  console.log(`fleet-year: wall ${wallS.toFixed(2)} s, ${cpu}, peak ${peakMb.toFixed(0)} MB, answer ${hash}`);
}
