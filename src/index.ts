/**
 * vppsim as a library: read a scenario, run it, get its record and, where wanted, its report.
 *
 * ```ts
 * import { loadScenario, runScenario } from "vppsim";
 *
 * const scenario = loadScenario("scenarios/quickstart/scenario.yaml");
 * const { record } = await runScenario(scenario, { out: "reports/quickstart" });
 * console.log(record.kpis.get("shortfall_kwh"));
 * ```
 * @module vppsim
 */

export type { KpiName, Kpis, NumericKpiName } from "./accounting/kpis/kpiRegistry.ts";
export type { Polyline } from "./accounting/recorders/polyline.ts";
export type {
  OutageSpan,
  OutputControlSpan,
  ReductionRow,
  RunRecord,
  SiteCurves,
  SocTimeline,
  VppTimeline,
} from "./accounting/runRecord.ts";
export type { AwardRow, AwardState } from "./accounting/settlement/awardRows.ts";
export { CAUSES, type Cause } from "./accounting/settlement/causes.ts";
export type { SiteRow } from "./accounting/siteRow.ts";
export { type InputError, InputErrors } from "./base/inputError.ts";
export { type LoadOptions, loadScenario } from "./inputs/scenario/loadScenario.ts";
export type { ReportFormat, ReportSpec, Scenario } from "./inputs/scenario/scenario.ts";
export { exportedAlarms } from "./live/session/alarms/exportedAlarms.ts";
export { TableWriteError } from "./platform/files.ts";
export type { AlarmRow, AlarmSource } from "./report/alarmRow.ts";
export { compareReports } from "./report/compare/compareReports.ts";
export type { ComparisonJson } from "./report/compare/comparisonJson.ts";
export { type AwardExplanation, explainAward } from "./report/explain/explainAward.ts";
export { type RunScenarioOptions, runScenario, type ScenarioRun } from "./report/runScenario.ts";
export { RunStopped } from "./report/runStopped.ts";
export { crewExecutor, poolExecutor } from "./study/node/poolExecutor.ts";
export { type RunStudyOptions, runStudy } from "./study/node/runStudy.ts";
export { type OpenStudy, readStudy } from "./study/readStudy.ts";
export type { FinishedStudy } from "./study/runStudyInto.ts";
export type { StudyResult } from "./study/studyResult.ts";
export { inlineExecutor } from "./study/workers/evaluationRunner.ts";
export { Evaluator, type Outcome } from "./study/workers/evaluator.ts";
export type { Executor } from "./study/workers/executor.ts";
export { VERSION } from "./version.ts";
