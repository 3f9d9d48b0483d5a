import { platform } from "#platform";
import { isNumericKpiName, kpiOf, NUMERIC_KPI_NAMES, type NumericKpiName } from "../accounting/kpis/kpiRegistry.ts";
import { baseName, type Currency, currencyOf, moneyName } from "../base/currency.ts";
import { formatNameList, formatValue, InputErrors, inputRefusal } from "../base/inputError.ts";
import { resolve } from "../base/paths.ts";
import { isoUtc } from "../base/time.ts";
import type { InvestmentFlags } from "../inputs/scenario/build/buildInvestment.ts";
import { buildWorld } from "../inputs/scenario/loadScenario.ts";
import { checkDocument, openDocument } from "../inputs/scenario/openDocument.ts";
import { DocumentChecker } from "../inputs/scenario/parse/documentChecker.ts";
import { displayPathBeside, type ScenarioFiles } from "../inputs/scenario/parse/loadContext.ts";
import { allowedKpis } from "../inputs/scenario/parse/nearestName.ts";
import { NO_SUCH_PATH } from "../inputs/scenario/patch/applyPatch.ts";
import { NOTHING_TO_SCALE, type PatchValue } from "../inputs/scenario/patch/patchValue.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { DOMAIN_KEYS, type StudyConfig, studySchema } from "../inputs/scenario/schema/studySchema.ts";
import { formatList } from "../report/html/page/format.ts";
import { countSelectionSeeds, HELD_OUT_SEEDS_MAX } from "./allocation/seedPlan.ts";
import { gridSize, patchValueOf } from "./search/candidateDesign.ts";
import {
  type Constraint,
  isRace,
  type Objective,
  type ParameterDomain,
  RACE_SEEDS_MIN,
  type Study,
  type StudyParameter,
  TAIL_SEEDS_MIN,
} from "./study.ts";

/** A study with the scenario that it varies. */
export interface OpenStudy {
  readonly study: Study;
  readonly source: ScenarioSource;
  /** Absolute path of the study file. */
  readonly file: string;
  /** Text of the study file. */
  readonly text: string;
}

/** A larger number of runs is taken as a typing error. */
const RUNS_MAX = 10_000_000;

type ParameterKeys = NonNullable<StudyConfig["parameters"]>[number];

/**
 * Reads a study file and its scenario.
 *
 * @param investment  keys of the command line
 * @throws InputErrors with all errors of the study, or of the scenario
 */
export function readStudy(
  file: string,
  files: ScenarioFiles = platform.files,
  investment: InvestmentFlags = {},
): OpenStudy {
  const document = openDocument(file, "a readable study file", files);
  const { root, origin, text, errors } = document;
  const checker = new DocumentChecker(errors);
  if (root.kind === "map" && root.entries.has("sites") && !root.entries.has("scenario")) {
    const allowed = `a study; run a scenario with: vppsim run ${file}`;
    errors.report({ file, ...origin.locate(0), keyPath: "", found: "a scenario", allowed });
    throw errors.toInputErrors();
  }
  const keys = checkDocument(checker, studySchema, document);
  if (keys === undefined) throw errors.toInputErrors();
  checkMethod(checker, keys);
  const scenario = scenarioOf(checker, keys, file, { files, investment });
  // Errors of the scenario hide none of the study.
  const figures = { checker, currency: scenario?.currency ?? null };
  const objective = objectiveOfKeys(figures, keys);
  const constraints = (keys.constraints ?? []).flatMap((constraint) => constraintOf(figures, constraint));
  const pareto = paretoOf(figures, keys);
  if (scenario === null || scenario.source.content === null) throw errors.toInputErrors();
  const { source, currency } = scenario;
  const parameters = parametersOf(checker, keys, source);
  const used = [...objective.terms.map(({ kpi }) => kpi), ...constraints.map(({ kpi }) => kpi), ...(pareto ?? [])];
  checkFork(checker, keys, source);
  checkBases(checker, keys, source, used);
  if (errors.count > 0) throw errors.toInputErrors();
  const study: Study = {
    name: keys.name,
    description: keys.description,
    scenarioFile: source.file,
    scenarioName: scenario.source.content.config.name,
    currency,
    investment: scenario.investment,
    parameters,
    seeds: seedsOf(keys, scenario.source.content.config.seed),
    method: keys.method,
    allocation: keys.allocation,
    minDifference: keys.min_difference,
    samples: keys.method === "random" || keys.method === "lhs" ? (keys.samples ?? null) : null,
    budget: keys.method === "optimise" ? (keys.budget ?? null) : null,
    forkAtMs: keys.fork_at ?? null,
    objective,
    constraints,
    confidence: keys.confidence,
    pareto,
  };
  checkTail(file, study);
  checkSize(file, study);
  return { study, source, file: resolve(file), text };
}

/**
 * Checks the keys that each method requires. Keys of other methods are permitted, as in the example of
 * docs/model/studies.md, so that the method of a file can be changed and changed back.
 */
function checkMethod(checker: DocumentChecker, keys: StudyConfig): void {
  const { method } = keys;
  if (method === "random" || method === "lhs")
    checker.requireKey(keys, "samples", `a number of candidates for method ${method}`);
  if (method === "optimise") checker.requireKey(keys, "budget", "a number of evaluations for method optimise");
}

function scenarioOf(
  { errors }: DocumentChecker,
  { scenario }: StudyConfig,
  file: string,
  { files, investment }: { readonly files: ScenarioFiles; readonly investment: InvestmentFlags },
): (Pick<Study, "currency" | "investment"> & { readonly source: ScenarioSource }) | null {
  if (scenario === undefined) return null;
  const source = new ScenarioSource(displayPathBeside(file, scenario), files, investment);
  try {
    const world = buildWorld(source);
    return { source, currency: currencyOf(world), investment: world.investment };
  } catch (error) {
    if (!(error instanceof InputErrors)) throw error;
    errors.addAll(error.kinds);
    return null;
  }
}

function objectiveOfKeys(figures: FigureChecker, { objective }: StudyConfig): Objective {
  const direction = objective?.maximise === undefined ? "minimise" : "maximise";
  const target = objective?.minimise ?? objective?.maximise ?? objective;
  if (typeof target === "string") {
    const kpi = checkKpi(figures, objective, direction, target);
    return { direction, terms: kpi.map((name) => ({ kpi: name, weight: 1 })), worstPct: null, text: target };
  }
  if (target !== undefined && "tail" in target) {
    const { tail, worst_pct: worstPct } = target;
    const kpi = checkKpi(figures, target, "tail", tail);
    const text = `mean of the worst ${worstPct} % of the seeds of ${tail}`;
    return { direction, terms: kpi.map((name) => ({ kpi: name, weight: 1 })), worstPct, text };
  }
  const weights = Object.entries(target !== undefined && "weights" in target ? (target.weights ?? {}) : {});
  const owner = objective?.weights === undefined ? (objective?.[direction] as object | undefined) : objective;
  return {
    direction,
    worstPct: null,
    terms: weights.flatMap(([name, weight]) =>
      checkKpi(figures, owner, "weights", name).map((kpi) => ({ kpi, weight })),
    ),
    text: weights
      .map(([kpi, weight], k) =>
        k === 0 ? `${weight} × ${kpi}` : `${weight < 0 ? "-" : "+"} ${Math.abs(weight)} × ${kpi}`,
      )
      .join(" "),
  };
}

function constraintOf(figures: FigureChecker, keys: NonNullable<StudyConfig["constraints"]>[number]): Constraint[] {
  return checkKpi(figures, keys, "kpi", keys.kpi).map((kpi) =>
    "at_least" in keys
      ? { kpi, name: keys.kpi, bound: "at_least", limit: keys.at_least }
      : { kpi, name: keys.kpi, bound: "at_most", limit: keys.at_most },
  );
}

/** Each of the KPIs must have a better direction. */
function paretoOf(figures: FigureChecker, keys: StudyConfig): Study["pareto"] {
  if (keys.pareto === undefined) return null;
  const judging = NUMERIC_KPI_NAMES.filter((name) => kpiOf(name).direction !== "neutral");
  const kpis = keys.pareto.flatMap((name) => checkKpi(figures, keys, "pareto", name));
  for (const kpi of kpis)
    if (kpiOf(kpi).direction === "neutral")
      figures.checker.reportError(
        keys,
        "pareto",
        formatValue(kpi),
        `a KPI that has a better direction: ${formatNameList(judging)}`,
      );
  return kpis.length < 2 ? null : kpis;
}

interface FigureChecker {
  readonly checker: DocumentChecker;
  /** Of the scenario; `null` where it has errors. */
  readonly currency: Currency | null;
}

/** @returns empty, with an error reported, for a name that the scenario does not have */
function checkKpi(
  { checker, currency }: FigureChecker,
  owner: object | undefined,
  key: string,
  name: string | undefined,
): NumericKpiName[] {
  if (name === undefined || owner === undefined) return [];
  const kpi = baseName(name);
  if (!isNumericKpiName(kpi)) {
    const known = NUMERIC_KPI_NAMES.map((known) => moneyName(known, currency ?? "JPY"));
    checker.reportError(owner, key, formatValue(name), allowedKpis(name, known));
    return [];
  }
  if (currency === null || moneyName(kpi, currency) === name) return [kpi];
  const allowed = `this scenario counts in ${currency}: ${moneyName(kpi, currency)}`;
  checker.reportError(owner, key, formatValue(name), allowed);
  return [];
}

function parametersOf(checker: DocumentChecker, keys: StudyConfig, source: ScenarioSource): StudyParameter[] {
  const names = new Set<string>();
  const parameters: StudyParameter[] = [];
  for (const parameter of keys.parameters ?? []) {
    const { name, path } = parameter;
    if (name !== undefined && names.has(name))
      checker.reportError(parameter, "name", `${formatValue(name)} again`, "each name once");
    names.add(name);
    const domain = domainOf(checker, keys, parameter);
    if (path === undefined || domain === null) continue;
    const isFactor = parameter.scale !== undefined;
    const written = isFactor ? 1 : writtenValue(source, path);
    const words = wordsOf(parameter, written);
    const value = typeof written === "string" ? (words?.indexOf(written) ?? null) : written;
    const read = { name, path, domain, isFactor, words, writtenValue: value };
    checkValues(checker, parameter, source, read);
    parameters.push(read);
  }
  checkTargets(checker, keys, parameters, source);
  return parameters;
}

/** @returns `null` after an error */
function domainOf(checker: DocumentChecker, { method }: StudyConfig, parameter: ParameterKeys): ParameterDomain | null {
  const given = DOMAIN_KEYS.filter((key) => checker.isWritten(parameter, key));
  if (given.length !== 1) {
    const found = given.length === 0 ? "none" : given.join(" and ");
    checker.reportError(parameter, given[1] ?? null, found, `give one of ${formatList(DOMAIN_KEYS)}`);
    return null;
  }
  const { scale } = parameter;
  const values = Array.isArray(scale) ? scale : parameter.values;
  if (values !== undefined) {
    if (values.length === 0) return null;
    if (values.every((value) => typeof value === "number")) return { kind: "values", values };
    if (method !== "grid")
      checker.reportError(parameter, "values", "words", `numbers for method ${method}, or method grid`);
    return { kind: "values", values: values.map((_, k) => k) };
  }
  const owner = scale === undefined || Array.isArray(scale) ? parameter : scale;
  const { range, steps } = owner;
  if (range === undefined || range.length < 2) return null;
  const [low, high] = range;
  if (high <= low) {
    checker.reportError(owner, "range", `[${low}, ${high}]`, "two numbers, the lower one first");
    return null;
  }
  if (method === "grid" && steps === undefined)
    checker.requireKey(owner, "steps", "the number of points in the range, ends included, for method grid");
  return { kind: "range", low, high, steps: steps ?? null };
}

/** The words of a parameter, and last the one of the scenario if it is another; `undefined`: it has numbers. */
function wordsOf({ values = [] }: ParameterKeys, written: number | string | null): string[] | undefined {
  if (values.every((value) => typeof value === "number")) return undefined;
  return [...new Set([...values, ...(typeof written === "string" ? [written] : [])].map(String))];
}

/** Checks that the path exists in the scenario and accepts every value. */
function checkValues(
  checker: DocumentChecker,
  parameter: ParameterKeys,
  source: ScenarioSource,
  studied: StudyParameter,
): void {
  const { path, domain, isFactor } = studied;
  const key = isFactor ? "scale" : domain.kind;
  for (const value of domain.kind === "values" ? domain.values : [domain.low, domain.high]) {
    const [refusal] = source.checkPatch({ [path]: patchValueOf(studied, value) });
    if (refusal === undefined) continue;
    const isPath = refusal.found === NO_SUCH_PATH || refusal.allowed === "a numeric key";
    checker.reportError(
      parameter,
      isPath ? "path" : key,
      isPath ? formatValue(parameter.path) : refusal.found,
      refusal.allowed,
    );
    if (isPath || refusal.allowed === NOTHING_TO_SCALE) return;
  }
}

/** Checks that no two parameters set the same number. */
function checkTargets(
  checker: DocumentChecker,
  keys: StudyConfig,
  parameters: readonly StudyParameter[],
  source: ScenarioSource,
): void {
  const patch = new Map<string, PatchValue>();
  for (const { path, domain, words } of parameters) {
    const parameter = keys.parameters?.find((candidate) => candidate.path === path);
    if (patch.has(path))
      checker.reportError(parameter as object, "path", `${formatValue(path)} again`, "each path once");
    patch.set(path, words?.[0] ?? (domain.kind === "values" ? domain.values[0] : domain.low));
  }
  for (const { path, found, allowed } of source.checkPatch(Object.fromEntries(patch))) {
    if (!found.startsWith("a target")) continue;
    const parameter = keys.parameters?.find((candidate) => candidate.path === path);
    checker.reportError(parameter as object, "path", found, allowed);
  }
}

function writtenValue(source: ScenarioSource, path: string): number | string | null {
  const values = source.readValuesAt(path) ?? [];
  return values.length > 0 && values.every((value) => value === values[0]) ? values[0] : null;
}

const NEEDED_KEYS = [
  ["settlement", "one with the key settlement"],
  ["investment", "one with the key investment, or --capex"],
] as const;

/** Figures of a settlement or an investment need one, and those of a settlement a run from its start. */
function checkBases(
  checker: DocumentChecker,
  keys: StudyConfig,
  { content }: ScenarioSource,
  used: readonly NumericKpiName[],
): void {
  if (content === null) return;
  const byBasis = (basis: "settlement" | "investment") => used.find((name) => kpiOf(name).basis === basis);
  for (const [basis, allowed] of NEEDED_KEYS) {
    const name = byBasis(basis);
    if (name !== undefined && content.config[basis] === undefined)
      checker.reportError(keys, "scenario", `a scenario without ${basis} for ${name}`, allowed);
  }
  const settled = byBasis("settlement");
  if (settled !== undefined && keys.fork_at !== undefined)
    checker.reportError(keys, "fork_at", `fork_at with ${settled}`, "no fork_at: a settlement needs the whole run");
}

function checkFork(checker: DocumentChecker, keys: StudyConfig, source: ScenarioSource): void {
  const { fork_at: forkAt } = keys;
  if (forkAt === undefined || source.content === null) return;
  const { start, end } = source.content.config;
  if (forkAt <= start || end <= forkAt)
    checker.reportError(keys, "fork_at", isoUtc(forkAt), `an instant after ${isoUtc(start)} and before ${isoUtc(end)}`);
  for (const parameter of keys.parameters ?? [])
    if (parameter.path !== undefined && !/^(weights|vpps)\./.test(parameter.path))
      checker.reportError(
        parameter,
        "path",
        formatValue(parameter.path),
        "weights.… or vpps.… in a study with fork_at",
      );
}

function seedsOf({ seeds }: StudyConfig, first: number): number[] {
  return typeof seeds === "number" ? Array.from({ length: seeds }, (_, k) => first + k) : [...seeds];
}

/** Fewer seeds of a tail are a few cases, not an estimate. */
const TAIL_COUNT_MIN = 5;

function checkTail(file: string, study: Study): void {
  const { worstPct } = study.objective;
  if (worstPct === null) return;
  const needed = Math.max(TAIL_SEEDS_MIN, Math.floor((100 * (TAIL_COUNT_MIN - 1)) / worstPct) + 1);
  const seeds = isRace(study) ? countSelectionSeeds(study) : study.seeds.length;
  if (needed <= seeds) return;
  const enough =
    study.allocation === "equal"
      ? needed
      : Math.max(RACE_SEEDS_MIN, needed <= HELD_OUT_SEEDS_MAX ? 0 : Math.ceil(needed / 2));
  const raced =
    study.allocation === "equal" ? "" : `, of which a race makes ${Math.max(2 * enough, HELD_OUT_SEEDS_MAX)}`;
  const allowed = `seeds: ${enough} or more${raced}: the tail needs ${TAIL_COUNT_MIN} of at least ${TAIL_SEEDS_MIN} seeds`;
  throw inputRefusal({ file, keyPath: "seeds" }, `${study.seeds.length} seeds for the worst ${worstPct} %`, allowed);
}

function checkSize(file: string, study: Study): void {
  const candidates = study.method === "grid" ? gridSize(study.parameters) : (study.samples ?? study.budget ?? 1);
  const runs = candidates * study.seeds.length;
  if (runs <= RUNS_MAX) return;
  const found = `${candidates} candidates × ${study.seeds.length} seeds`;
  throw inputRefusal({ file, keyPath: "parameters" }, found, `at most ${RUNS_MAX} runs; try random, lhs or optimise`);
}
