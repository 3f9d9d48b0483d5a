import { resolve } from "node:path";
import { sha256Hex } from "../base/ids.ts";
import { type EpochMs, isoUtc } from "../base/time.ts";
import { decodeText } from "../scenario/parse/decodeText.ts";
import { DocumentChecker } from "../scenario/parse/documentChecker.ts";
import { ErrorCollector } from "../scenario/parse/errorCollector.ts";
import { formatNameList, formatValue, InputErrors, inputRefusal, NO_SUCH_FILE } from "../scenario/parse/inputError.ts";
import type { JsonSchema } from "../scenario/parse/jsonSchema.ts";
import { readYaml } from "../scenario/parse/readYaml.ts";
import { diskFiles, displayPathBeside, type ScenarioFiles } from "../scenario/parse/scenarioFiles.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Condition, InjectSpec } from "../scenario/schema/injectSchema.ts";
import { readServedScenario, type ServedScenario } from "../session/servedScenario.ts";
import { type Drill, type DrillGoal, hasPoints } from "./drill.ts";
import { type DrillConfig, drillSchema, type LocalText, MEASURES } from "./drillSchema.ts";
import { MEASURE_TEXT } from "./measureText.ts";

/**
 * Reads a drill and its scenario.
 *
 * @throws InputErrors with all errors of the drill, or of the scenario
 */
export function readDrill(file: string, files: ScenarioFiles = diskFiles): Drill {
  const errors = new ErrorCollector();
  const content = files.read(file);
  if (content === null) throw inputRefusal(file, NO_SUCH_FILE, "a readable drill file");
  const text = decodeText(file, content, errors);
  const document = text === null ? null : readYaml(file, text, errors);
  const checker = new DocumentChecker(errors);
  const config =
    document === null
      ? undefined
      : (checker.check(drillSchema as JsonSchema, document.root, document.origin, "") as DrillConfig | undefined);
  if (text === null || config === undefined || errors.count > 0) throw errors.toInputErrors();
  const served = servedScenarioOf(checker, config, file, files);
  if (served !== null) checkAgainstScenario(checker, config, served.scenario);
  if (served === null || errors.count > 0) throw errors.toInputErrors();
  return drillOf(config, resolve(file), text, served);
}

function drillOf(config: DrillConfig, file: string, text: string, served: ServedScenario): Drill {
  const steps = config.steps.map(({ text: stepText, done_when: doneWhen }) => ({ text: stepText, doneWhen }));
  const { delay, answer, sites } = config.owner_calls;
  return {
    file,
    name: config.name,
    title: config.title,
    briefing: config.briefing,
    startMs: config.start,
    endMs: config.end,
    speed: config.speed,
    may: config.may,
    served: {
      ...served,
      drill: {
        name: config.name,
        hash: sha256Hex(`${text}\n${served.scenario.hash}`),
        opensAtMs: config.start,
        injects: config.injects,
        steps: steps.map(({ text: { en }, doneWhen }) => ({ text: en, doneWhen })),
      },
    },
    goals: config.goals.map(goalOf),
    passScore: config.pass_score,
    steps,
    advice: config.advice,
    searchBudget: Math.round(config.search_budget),
    ownerOf: (site) => ({
      delayMs: sites[site]?.delay ?? delay,
      answer: sites[site]?.answer ?? answer ?? DEFAULT_ANSWER,
    }),
    isForClients: config.trainee === "program",
  };
}

/** What an owner says who does not know the cause. */
const DEFAULT_ANSWER: LocalText = {
  en: "Thank you for the call. We check the plant and put it back in order if anything is wrong.",
  ja: "ご連絡ありがとうございます。設備を確認し、異常があれば復旧します。",
};

function goalOf({
  measure,
  at_most: atMost,
  min_points: minPoints,
  weight,
  text,
}: DrillConfig["goals"][number]): DrillGoal {
  const limits = { atMost: atMost ?? null, minPoints: minPoints ?? null };
  return { measure, ...limits, weight, text: text ?? MEASURE_TEXT[measure].goal(limits) };
}

/** The scenario of a drill ends where the drill ends. */
function servedScenarioOf(
  checker: DocumentChecker,
  config: DrillConfig,
  file: string,
  files: ScenarioFiles,
): ServedScenario | null {
  const { errors } = checker;
  const path = displayPathBeside(file, config.scenario);
  try {
    const whole = readServedScenario(path, files).scenario.world;
    if (!checkPeriod(checker, config, whole)) return null;
    return readServedScenario(path, files, { toMs: config.end });
  } catch (error) {
    if (!(error instanceof InputErrors)) throw error;
    errors.addAll(error.kinds);
    return null;
  }
}

function checkPeriod(
  checker: DocumentChecker,
  config: DrillConfig,
  { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
): boolean {
  const { start, end } = config;
  const isStartInside = startMs <= start && start < endMs;
  const isEndInside = start < end && end <= endMs;
  if (!isStartInside) {
    const allowed = `an instant from ${isoUtc(startMs)} until before ${isoUtc(endMs)}, as in the scenario`;
    checker.reportError(config, "start", isoUtc(start), allowed);
  }
  if (!isEndInside) {
    const allowed = `an instant after start, ${isoUtc(start)}, until the scenario's end, ${isoUtc(endMs)}`;
    checker.reportError(config, "end", isoUtc(end), allowed);
  }
  return isStartInside && isEndInside;
}

function checkAgainstScenario(checker: DocumentChecker, config: DrillConfig, { world }: Scenario): void {
  const names: Names = {
    sites: world.sites.map(({ name }) => name),
    vpps: world.vpps.map(({ name }) => name),
    awards: world.awards.map(({ awardId }) => awardId),
  };
  for (const inject of config.injects) checkInject(checker, config, inject, names);
  for (const step of config.steps) checkCondition(checker, step.done_when, names);
  for (const site of Object.keys(config.owner_calls.sites))
    if (!names.sites.includes(site))
      checker.reportError(config.owner_calls, "sites", formatValue(site), siteNames(names));
  for (const goal of config.goals) {
    if (goal.at_most === undefined && goal.min_points === undefined)
      checker.requireKey(goal, "at_most", "a limit of the measure, or min_points");
    if (goal.min_points !== undefined && !hasPoints(goal.measure))
      checker.reportError(goal, "min_points", formatValue(goal.min_points), `at_most: ${goal.measure} gives no points`);
  }
  if (!config.goals.some(({ measure }) => hasPoints(measure)))
    checker.reportError(
      config,
      "goals",
      "no goal that gives points",
      `one of ${MEASURES.filter(hasPoints).join(", ")}`,
    );
}

interface Names {
  readonly sites: readonly string[];
  readonly vpps: readonly string[];
  readonly awards: readonly string[];
}

const siteNames = ({ sites }: Names): string => `a site of the scenario: ${formatNameList(sites)}`;

function checkInject(checker: DocumentChecker, { start, end }: DrillConfig, inject: InjectSpec, names: Names): void {
  if (!names.sites.includes(inject.site))
    checker.reportError(inject, "site", formatValue(inject.site), siteNames(names));
  if ((inject.at === undefined) === (inject.when === undefined))
    checker.reportError(
      inject,
      null,
      inject.at === undefined ? "neither at nor when" : "both at and when",
      "one of them",
    );
  if (inject.at !== undefined && !(start <= inject.at && inject.at < end)) {
    const allowed = `an instant of the drill, from ${isoUtc(start)} until before ${isoUtc(end)}`;
    checker.reportError(inject, "at", isoUtc(inject.at), allowed);
  }
  if (inject.kind !== "output_control")
    for (const key of ["limit_pct", "reason"] as const)
      if (inject[key] !== undefined)
        checker.reportError(inject, key, formatValue(inject[key]), "nothing: it belongs to output_control");
  if (inject.when !== undefined) checkCondition(checker, inject.when, names);
}

function checkCondition(checker: DocumentChecker, condition: Condition, names: Names): void {
  const report = (owner: object, key: string, found: string | undefined, allowed: readonly string[], what: string) => {
    if (found !== undefined && !allowed.includes(found))
      checker.reportError(owner, key, formatValue(found), `${what} of the scenario: ${formatNameList(allowed)}`);
  };
  if ("award_in_force" in condition)
    report(condition, "award_in_force", condition.award_in_force, names.awards, "an award");
  if ("owner_call" in condition) report(condition, "owner_call", condition.owner_call, names.sites, "a site");
  for (const key of ["soc_pct", "weight", "delivered_share_pct", "uncovered_kw"] as const) {
    const limited = (condition as Record<string, unknown>)[key] as
      | { readonly site?: string; readonly vpp?: string; readonly above?: number; readonly below?: number }
      | undefined;
    if (limited === undefined) continue;
    report(limited, "site", limited.site, names.sites, "a site");
    report(limited, "vpp", limited.vpp, names.vpps, "a VPP");
    if (limited.above === undefined && limited.below === undefined)
      checker.reportError(limited, null, "neither above nor below", "a limit: above, below or both");
  }
}
