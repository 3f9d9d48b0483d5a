/** What a worker thread runs: one evaluator, made from the scenario's files when the thread starts. */
import { workerData } from "piscina";
import { diskFiles, memoryFiles } from "../scenario/scenarioFiles.ts";
import { ScenarioSource } from "../scenario/scenarioSource.ts";
import { Evaluator, type Outcome } from "./evaluate.ts";
import { type Job, runJob, type WorkerStudy } from "./executor.ts";

const { scenarioFile, forkAtMs, files } = workerData as WorkerStudy;
const contents =
  files === undefined ? diskFiles : memoryFiles(new Map([...files].map(([path, bytes]) => [path, Buffer.from(bytes)])));
const evaluator = await Evaluator.open(new ScenarioSource(scenarioFile, contents), forkAtMs);

export default (job: Job): Outcome[] => runJob(evaluator, job);
