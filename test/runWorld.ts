import type { RunRecord } from "../src/accounting/runRecord.ts";
import { type RunOptions, SimulationRun } from "../src/accounting/simulationRun.ts";
import type { WorldSpec } from "../src/engine/simulation/worldSpec.ts";

/** Runs a world from its start to its end and returns its record. */
export function runWorld(spec: WorldSpec, options: RunOptions): RunRecord & { readonly eventCount: number } {
  const run = new SimulationRun(spec, options);
  run.advanceToShare(1);
  return { ...run.finish(), eventCount: run.eventCount };
}
