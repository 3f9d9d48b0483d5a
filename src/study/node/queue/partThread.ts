/** Entry point of a worker thread: the parts of one run, whose scenario is read when the thread starts. */
import { workerData } from "piscina";
import { assert } from "../../../base/assert.ts";
import { divideWorld } from "../../../engine/simulation/worldParts.ts";
import { buildRunInput, type LoadOptions } from "../../../inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../../inputs/scenario/parse/loadContext.ts";
import { ScenarioSource } from "../../../inputs/scenario/scenarioSource.ts";
import { type PartsOptions, PartsRun } from "../../../report/parts/partsRun.ts";
import { RowMemory } from "../../../report/parts/rowMemory.ts";
import { beginPart, PART_SITES_MIN } from "../../../report/parts/runParts.ts";
import { type PackedPart, packPart } from "./queueNames.ts";

export interface PartThreadData {
  /** Absolute. */
  readonly scenarioFile: string;
  readonly load: LoadOptions;
  /** Contents by absolute path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface PartTask {
  readonly part: number;
  readonly partCount: number;
  readonly options: PartsOptions;
}

const { scenarioFile, load, files } = workerData as PartThreadData;
const { world } = buildRunInput(new ScenarioSource(scenarioFile, memoryFiles(files)), load);
const parts = divideWorld(world, PART_SITES_MIN);

export default function runPart({ part, partCount, options }: PartTask): PackedPart {
  assert(parts.length === partCount, () => `the world has ${parts.length} parts, as the ${partCount} of the run`);
  const [rows] = new PartsRun(options, [new RowMemory()]).advanceToShare(1, [beginPart(world, parts, part)]);
  return packPart(rows);
}
