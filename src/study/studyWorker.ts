/** What a worker thread runs: one evaluator, made from the scenario's files when the thread starts. */
import { workerData } from "piscina";
import { diskFiles } from "../scenario/scenarioFiles.ts";
import { ScenarioSource } from "../scenario/scenarioSource.ts";
import { Evaluator, type Outcome } from "./evaluate.ts";
import { type Job, runJob, type WorkerStudy } from "./executor.ts";

const { scenarioFile, forkAtMs } = workerData as WorkerStudy;
const evaluator = await Evaluator.open(new ScenarioSource(scenarioFile, diskFiles), forkAtMs);

export default (job: Job): Outcome[] => runJob(evaluator, job);
