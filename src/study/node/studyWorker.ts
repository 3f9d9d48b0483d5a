/** Entry point of a worker thread: one evaluator, created from the scenario's files when the thread starts. */
import type { MessagePort } from "node:worker_threads";
import { workerData } from "piscina";
import { memoryFiles } from "../../inputs/scenario/parse/loadContext.ts";
import { ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import { Evaluator } from "../workers/evaluator.ts";
import { type Batch, drainBatch, type WorkerStudy } from "../workers/executor.ts";
import { createResultBuffer } from "../workers/sharedExecutor.ts";

const { scenarioFile, forkAtMs, investment, files } = workerData as WorkerStudy;
const contents = files === undefined ? diskFiles : memoryFiles(files);
const evaluator = await Evaluator.open(new ScenarioSource(scenarioFile, contents, investment), forkAtMs);

interface ThreadTask {
  readonly batch: Batch;
  /** Receives results, and `null` after the last one. */
  readonly port: MessagePort;
}

export default function run({ batch, port }: ThreadTask): void {
  const { add, flush } = createResultBuffer((pieces) => port.postMessage(pieces));
  for (const piece of drainBatch(evaluator, batch)) add(piece);
  flush();
  port.postMessage(null);
}
