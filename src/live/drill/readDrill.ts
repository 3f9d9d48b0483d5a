import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256Hex } from "../../base/ids.ts";
import { formatValue, InputErrors, inputRefusal, NO_SUCH_FILE } from "../../base/inputError.ts";
import type { LocalText } from "../../base/language.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { checkDocument, openDocument } from "../../inputs/scenario/openDocument.ts";
import { DocumentChecker } from "../../inputs/scenario/parse/documentChecker.ts";
import { displayPathBeside, type ScenarioFiles } from "../../inputs/scenario/parse/loadContext.ts";
import { allowedName } from "../../inputs/scenario/parse/nearestName.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import { checkCondition, checkInject, type KnownNames, knownNames } from "../session/injects/checkInject.ts";
import { readServedScenario, type ServedScenario } from "../session/servedScenario.ts";
import { type Drill, type DrillGoal, hasPoints } from "./drill.ts";
import { type DrillConfig, drillSchema, MEASURES } from "./drillSchema.ts";
import { goalText } from "./measureText.ts";

/**
 * Reads a drill and its scenario.
 *
 * @throws InputErrors with all errors of the drill, or of the scenario
 */
export function readDrill(file: string, files: ScenarioFiles = diskFiles): Drill {
  const document = openDocument(file, "a readable drill file", files);
  const { text, errors } = document;
  const checker = new DocumentChecker(errors);
  const config = checkDocument(checker, drillSchema, document);
  if (config === undefined || errors.count > 0) throw errors.toInputErrors();
  const served = servedScenarioOf(checker, config, file, files);
  if (served !== null) checkAgainstScenario(checker, config, served.scenario);
  if (served === null || errors.count > 0) throw errors.toInputErrors();
  return drillOf(config, resolve(file), text, served);
}

/** Removes the spaces that YAML puts in place of the line ends of a folded text between Japanese characters. */
const inOneLine = ({ en, ja }: LocalText): LocalText => ({
  en,
  ja: ja?.replace(/(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])/g, ""),
});

function drillOf(config: DrillConfig, file: string, text: string, served: ServedScenario): Drill {
  const steps = config.steps.map(({ text: stepText, done_when: doneWhen, from = null, until = null }) => ({
    text: inOneLine(stepText),
    doneWhen,
    fromMs: from,
    untilMs: until,
  }));
  const { delay, answer, sites } = config.owner_calls;
  return {
    file,
    name: config.name,
    title: config.title,
    briefing: inOneLine(config.briefing),
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
        steps,
      },
    },
    goals: config.goals.map((goal) => goalOf(goal, config.uncovered_above_pct)),
    uncoveredAbovePct: config.uncovered_above_pct,
    passScore: config.pass_score,
    steps,
    advice: config.advice.map(inOneLine),
    searchBudget: Math.round(config.search_budget),
    ownerOf: (site) => ({
      delayMs: sites[site]?.delay ?? delay,
      answer: inOneLine(sites[site]?.answer ?? answer ?? DEFAULT_ANSWER),
    }),
    isForClients: config.trainee === "program",
  };
}

/** Answer of an owner who does not know the cause. */
const DEFAULT_ANSWER: LocalText = {
  en: "Thank you for the call. We check the plant and put it back in order if anything is wrong.",
  ja: "ご連絡ありがとうございます。設備を確認し、異常があれば復旧します。",
};

function goalOf(
  { measure, at_most: atMost, min_points: minPoints, weight, text }: DrillConfig["goals"][number],
  uncoveredAbovePct: number,
): DrillGoal {
  const limits = { atMost: atMost ?? null, minPoints: minPoints ?? null };
  return { measure, ...limits, weight, text: text ?? goalText(measure, limits, uncoveredAbovePct) };
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
  if (files.read(path) === null) {
    checker.reportError(config, "scenario", `${NO_SUCH_FILE}: ${path}`, "a scenario, by its path from the drill file");
    return null;
  }
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
  const hasOwnerCalls = config.may.includes("owner_calls");
  const known = knownNames(world, { period: { startMs: config.start, endMs: config.end }, hasOwnerCalls });
  for (const inject of config.injects) {
    checkInject(checker, inject, known);
    if (inject.at === undefined && inject.when === undefined)
      checker.reportError(inject, null, "neither at nor when", "one of them");
  }
  for (const step of config.steps) checkStep(checker, config, step, known);
  const { owner_calls: calls } = config;
  for (const site of Object.keys(calls.sites)) {
    if (known.sites.includes(site)) continue;
    checker.reportError(calls, "sites", formatValue(site), allowedName("sites of the scenario", site, known.sites));
  }
  for (const goal of config.goals) checkGoal(checker, config, goal);
  const hasPenalty = world.awards.some(
    ({ penaltyJpyPerKwh: penalty, startMs, endMs }) => penalty !== null && startMs < config.end && config.start < endMs,
  );
  for (const goal of hasPenalty ? [] : config.goals)
    if (goal.measure === "shortfall_jpy")
      checker.reportError(
        goal,
        "measure",
        goal.measure,
        "shortfall_kwh: no award of the drill has penalty_jpy_per_kwh",
      );
  if (!config.goals.some(({ measure }) => hasPoints(measure)))
    checker.reportError(
      config,
      "goals",
      "no goal that gives points",
      `one of ${MEASURES.filter(hasPoints).join(", ")}`,
    );
}

function checkStep(
  checker: DocumentChecker,
  { start, end }: DrillConfig,
  step: DrillConfig["steps"][number],
  known: KnownNames,
): void {
  checkCondition(checker, step.done_when, known);
  const { from = start, until = end } = step;
  if (from < start || end <= from)
    checker.reportError(
      step,
      "from",
      isoUtc(from),
      `an instant of the drill, from ${isoUtc(start)} until before ${isoUtc(end)}`,
    );
  if (until <= from || end < until)
    checker.reportError(step, "until", isoUtc(until), `an instant after ${isoUtc(from)}, at most ${isoUtc(end)}`);
}

function checkGoal(
  checker: DocumentChecker,
  { steps, trainee }: DrillConfig,
  goal: DrillConfig["goals"][number],
): void {
  const { measure } = goal;
  if (goal.at_most === undefined && goal.min_points === undefined)
    checker.requireKey(goal, "at_most", "a limit of the measure, or min_points");
  if (goal.min_points !== undefined && !hasPoints(measure))
    checker.reportError(goal, "min_points", formatValue(goal.min_points), `at_most: ${measure} gives no points`);
  if (measure === "open_steps" && steps.length === 0)
    checker.reportError(goal, "measure", measure, "another measure, or steps in the drill");
  if (measure === "client_mistakes" && trainee !== "program")
    checker.reportError(goal, "measure", measure, "another measure, or trainee: program");
}

/** Relative to src/live/drill and to dist/live/drill alike. */
const SHIPPED = fileURLToPath(new URL("../../../scenarios/drills/", import.meta.url));

/** Files of shipped drills by name. */
export const shippedDrills = (): string[] =>
  readdirSync(SHIPPED)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => join(SHIPPED, file));

/**
 * The file of a drill: a path, or the name of a shipped drill.
 *
 * @throws InputErrors
 */
export function drillFileOf(nameOrFile: string): string {
  if (existsSync(nameOrFile) || /[/\\.]/.test(nameOrFile)) return nameOrFile;
  const shipped = join(SHIPPED, `${nameOrFile}.yaml`);
  if (existsSync(shipped)) return shipped;
  const names = shippedDrills().map((file) => file.slice(SHIPPED.length, -".yaml".length));
  throw inputRefusal(nameOrFile, "no such drill", `a drill file, or one of ${names.join(", ")}`);
}
