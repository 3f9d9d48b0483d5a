/**
 * What the record of a session costs, and what the reads of the sandbox take: a week of 100 batteries that fail now and then, an
 * award each half hour and a command every two minutes.
 *
 *   npx tsx --expose-gc bench/sandboxReads.ts [days]
 */
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { sandboxEvents } from "../src/api/http/sandbox/reads/sandboxEvents.ts";
import { vppBalance } from "../src/api/http/sandbox/reads/vppBalance.ts";
import { vppMembers } from "../src/api/http/sandbox/reads/vppMembers.ts";
import { vppPower } from "../src/api/http/sandbox/reads/vppPower.ts";
import { MS_PER_MINUTE } from "../src/base/time.ts";
import { memoryFiles } from "../src/inputs/scenario/parse/loadContext.ts";
import { HostedWorld } from "../src/live/session/hostedWorld.ts";
import { awardStory } from "../src/live/session/record/awardStory.ts";
import { tryControl } from "../src/live/session/record/dispatchPreview.ts";
import { readServedScenario } from "../src/live/session/servedScenario.ts";
import { CommandGenerator, fleetYaml, HOUR_MS, START_MS } from "./liveFleet.ts";

const MEMBERS = 100;
const REPETITIONS = 20;

const days = Number(process.argv[2] ?? 7);
const yaml = fleetYaml({ members: MEMBERS, days, hasAwards: true, hasOutages: true });
const served = () => readServedScenario("/live/scenario.yaml", memoryFiles(new Map([["/live/scenario.yaml", yaml]])));

const usedMb = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};

interface WeekRow {
  readonly recording: "recorded" | "not recorded";
  readonly cpuMs: number;
  /** Processor time of a command. */
  readonly commandUs: number;
  readonly memoryMb: number;
  readonly stateHash: string;
}

/** Runs the whole period with its commands. */
function runWeek(recording: WeekRow["recording"]): { readonly row: WeekRow; readonly hosted: HostedWorld } {
  const { scenario } = served();
  const beforeMb = usedMb();
  const hosted = new HostedWorld(scenario, { drill: null, recording });
  const { vppId } = scenario.world.vpps[0];
  const commands = new CommandGenerator(scenario.world.sites.map(({ emsId }) => emsId));
  const began = process.cpuUsage();
  let commandUs = 0;
  let count = 0;
  // The end of the scenario is left out: reads then have a present.
  const endMs = START_MS + days * 24 * HOUR_MS - 17 * MS_PER_MINUTE;
  for (let atMs = START_MS; atMs < endMs; atMs += 2 * MS_PER_MINUTE) {
    hosted.runThrough(atMs);
    const { path, body } = commands.nextCommand(atMs);
    const request = { api: "vpp-v1", id: vppId, method: "POST", path, query: {}, body } as const;
    const before = process.cpuUsage();
    hosted.applyInput({ kind: "request", at_ms: atMs, request });
    const { user, system } = process.cpuUsage(before);
    commandUs += user + system;
    count++;
  }
  const { user, system } = process.cpuUsage(began);
  const row = {
    recording,
    cpuMs: (user + system) / 1000,
    commandUs: commandUs / count,
    memoryMb: usedMb() - beforeMb,
    stateHash: hosted.stateHash().slice(0, 12),
  };
  return { row, hosted };
}

/** Median and largest real milliseconds of a read. */
function measure(name: string, read: () => unknown): void {
  const times: number[] = [];
  let bytes = 0;
  for (let k = 0; k < REPETITIONS; k++) {
    const start = performance.now();
    bytes = JSON.stringify(read()).length;
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [median, longest] = [times[REPETITIONS / 2], times[REPETITIONS - 1]];
  console.log(
    `${name.padEnd(34)} ${median.toFixed(2).padStart(8)} ms ${longest.toFixed(2).padStart(8)} ms ${String(bytes).padStart(9)} B`,
  );
}

function measureReads(hosted: HostedWorld): void {
  const { record, world } = hosted;
  if (record === null) throw new Error("a recorded world has a record");
  const { nowMs, spec } = world;
  const [vpp] = world.vpps;
  const scenario = served().scenario;
  console.log(`read of the last instant${" ".repeat(14)}median     longest     bytes`);
  measure("balance", () => vppBalance(hosted, record, vpp, "noticed"));
  measure("members", () => vppMembers(hosted, record, vpp));
  const window = (fromMs: number, stepsMax: number) => ({ fromMs, toMs: nowMs, stepsMax, view: "noticed" as const });
  measure("power, 15 minutes", () => vppPower(hosted, record, vpp, window(nowMs - 15 * MS_PER_MINUTE, 1_000)));
  measure("power, whole run, 1000 points", () => vppPower(hosted, record, vpp, window(spec.startMs, 1_000)));
  measure("power, whole run, 5000 points", () => vppPower(hosted, record, vpp, window(spec.startMs, 5_000)));
  measure("events, 500", () => sandboxEvents(hosted, record, { after: 0, limit: 500 }));
  const awards = record.awardsOf(0).within(spec.startMs, nowMs);
  const last = awards[awards.length - 1].awardId;
  measure("story", () => awardStory({ scenario, world, record }, last, "everything"));
  const trial = { sku: null, powerKw: -500, startMs: nowMs + HOUR_MS, endMs: nowMs + 2 * HOUR_MS };
  measure("preview", () => tryControl(world, hosted.copier.copy(), vpp, trial).shares);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  // What is compiled only when it is used is compiled before it is measured.
  runWeek("recorded");
  const bare = [runWeek("not recorded").row];
  const recorded = [runWeek("recorded").row];
  bare.push(runWeek("not recorded").row);
  const { row, hosted } = runWeek("recorded");
  for (const { recording, cpuMs, commandUs, memoryMb, stateHash } of [...bare, ...recorded, row])
    console.log(
      `${recording.padEnd(13)} ${cpuMs.toFixed(0).padStart(7)} ms of processor, ${commandUs.toFixed(0)} us a command, ` +
        `${memoryMb.toFixed(1)} MB, state ${stateHash}`,
    );
  measureReads(hosted);
}
