import { platform } from "#platform";
import { hexId } from "../../base/ids.ts";
import { SKUS, type Sku } from "../../base/sku.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { Series } from "../../engine/series/model/series.ts";
import { drawSites, type WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { kindOfKeys } from "../../engine/site/components/registry.ts";
import type { NumberOrSeries } from "../../engine/vpp/instructions/instructionSpec.ts";
import type { VppSpec } from "../../engine/vpp/vppSpec.ts";
import type { BidSlot } from "../../market/clearBid.ts";
import { MARKETS } from "../../market/marketRegistry.ts";
import { PLAN_SERIES } from "../../market/planNames.ts";
import type { SettlementSpec } from "../../market/settlementSpec.ts";
import { buildAwards, buildInstructions } from "./build/buildAwards.ts";
import { buildBids } from "./build/buildBids.ts";
import { type BuildContext, numberOrSeries } from "./build/buildContext.ts";
import { buildEvents } from "./build/buildEvents.ts";
import type { InvestmentFlags } from "./build/buildInvestment.ts";
import { buildInvestment } from "./build/buildInvestment.ts";
import { buildSettlement } from "./build/buildSettlement.ts";
import { buildSites } from "./build/buildSite.ts";
import { DayBaselineBuilder } from "./build/dayBaselineBuilder.ts";
import type { ExpandedSite, ExpandedVpp } from "./build/expandEntries.ts";
import { localDays } from "./build/marketDays.ts";
import { ReductionCalls } from "./build/reductionCalls.ts";
import { SeriesRegistry } from "./build/seriesRegistry.ts";
import type { CheckContext } from "./checks/checkContext.ts";
import { checkPlausibility, createCheckContext } from "./checks/checkPlausibility.ts";
import type { RemarkCollector } from "./checks/remark.ts";
import { digestSettings, effectiveSettings } from "./effectiveSettings.ts";
import { DocumentChecker } from "./parse/documentChecker.ts";
import type { LoadContext, ScenarioFiles } from "./parse/loadContext.ts";
import { readEntries } from "./parse/readEntries.ts";
import { applyPatch, type PatchRefusal, type PatchTarget } from "./patch/applyPatch.ts";
import type { Patch } from "./patch/patchValue.ts";
import type { Overrides, ReportFormat, ReportSpec, Scenario } from "./scenario.ts";
import { createSeriesDigest, scenarioHash } from "./scenarioHash.ts";
import { createPatchTarget, type ScenarioContent, ScenarioSource } from "./scenarioSource.ts";
import type { AwardConfig } from "./schema/awardSchema.ts";
import type { ScenarioConfig } from "./schema/scenarioSchema.ts";
import type { SiteConfig } from "./schema/siteSchema.ts";
import { sessionAlarmsOf } from "./sessionAlarms.ts";

/** Overrides by the command line for one run. */
export interface LoadOptions {
  readonly seed?: number;
  /** New start and end, within those of the file (docs/model/time.md#from-to). */
  readonly fromMs?: EpochMs;
  readonly toMs?: EpochMs;
  /** Values by study path (docs/model/studies.md#paths); several patches apply in their order. */
  readonly patch?: Patch | readonly Patch[];
  readonly formats?: readonly ReportFormat[];
  readonly times?: "utc" | "local";
  readonly csv?: "plain" | "excel";
}

/**
 * Reads a scenario file and every file that it names.
 *
 * @throws InputErrors with all errors of all files
 */
export function loadScenario(file: string, options: LoadOptions = {}): Scenario {
  return readScenario(file, options, platform.files);
}

/** Reads a scenario from any file source. */
export function readScenario(file: string, options: LoadOptions, files: ScenarioFiles): Scenario {
  return buildScenario(new ScenarioSource(file, files), options);
}

function overridesOf({ seed, fromMs, toMs, patch, times, csv }: LoadOptions, investment: InvestmentFlags): Overrides {
  const patches = [patch ?? []].flat().filter((values) => Object.keys(values).length > 0);
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(fromMs === undefined ? {} : { from: isoUtc(fromMs) }),
    ...(toMs === undefined ? {} : { to: isoUtc(toMs) }),
    ...(patches.length === 0 ? {} : { patch: patches.length === 1 ? patches[0] : patches }),
    ...(times === undefined ? {} : { times }),
    ...(csv === undefined ? {} : { csv }),
    ...(Object.keys(investment).length === 0 ? {} : { investment }),
  };
}

/**
 * Builds a scenario from files read earlier.
 *
 * @throws InputErrors with all errors of the files and of this build
 */
export function buildScenario(source: ScenarioSource, options: LoadOptions = {}): Scenario {
  const { world, dayBaselines, timezone, remarks, checked, target, series, bids, settlement, plans } = assembleBuild(
    source,
    options,
  );
  checkPlausibility(checked);
  const list = remarks.toList();
  const content = source.content as ScenarioContent;
  const { name, description, language } = content.config;
  const report = reportOf(content.config, options);
  const sessionOpenedMs = openingWithin(content.config, world);
  const digestOf = createSeriesDigest(world);
  const hashed = { settlement: settlement?.identity ?? null, bids, sessionOpenedMs };
  const { sites, vpps, parts } = target;
  const { intervalMs } = report;
  const digests = digestSettings(content, target, series.digests(digestOf));
  const settings = { sites, vpps, parts, intervalMs, digests, sessionOpenedMs };
  const intervals = { intervalMs: report.intervalMs, powerIntervalMs: report.powerIntervalMs };
  return {
    name,
    description,
    timezone,
    language,
    file: source.file,
    overrides: overridesOf(options, source.investment),
    inputFiles: new Map(source.readFiles),
    world,
    report,
    bids,
    settlement,
    ...plans,
    plannedSites: new Set(content.sites.filter(({ config }) => followsPlan(config)).map(({ name }) => name)),
    sessionOpenedMs,
    sessionCommands: content.config.session?.commands ?? [],
    sessionAlarms: sessionAlarmsOf(content.config),
    settings: () => effectiveSettings(settings),
    dayBaselines: dayBaselines.bySiteName,
    hash: scenarioHash(world, intervals, timezone, hashed, digestOf),
    warnings: list.filter(({ severity }) => severity === "warning").map(({ message }) => message),
    remarks: list,
  };
}

/** Builds only the world, for the many worlds of a study: the digest takes longer than the rest of the build. */
export const buildWorld = (source: ScenarioSource, options: LoadOptions = {}): WorldSpec =>
  assembleBuild(source, options).world;

/** Builds what a run needs, without the digest. */
export function buildRunInput(source: ScenarioSource, options: LoadOptions = {}): RunInput {
  const { world, settlement } = assembleBuild(source, options);
  return { world, settlement };
}

export interface RunInput {
  readonly world: WorldSpec;
  /** `null`: the run is not settled. */
  readonly settlement: SettlementSpec | null;
}

interface ScenarioBuild {
  readonly world: WorldSpec;
  readonly dayBaselines: DayBaselineBuilder;
  readonly timezone: string;
  readonly remarks: RemarkCollector;
  /** Input of the checks, which the worlds of a study skip. */
  readonly checked: CheckContext;
  readonly target: PatchTarget;
  readonly series: SeriesRegistry;
  /** Results of the bids, in file order. */
  readonly bids: readonly BidSlot[];
  readonly settlement: SettlementSpec | null;
  readonly plans: Pick<Scenario, "priceForecast" | "reservePrices">;
}

function assembleBuild(source: ScenarioSource, options: LoadOptions): ScenarioBuild {
  const { content } = source;
  if (content === null) throw source.errors.toInputErrors();
  const { config, timezone, instructions: instructionRows, events: eventRows } = content;
  const { file, displayPath, files } = source;
  const checker = new DocumentChecker(source.errors.copy());
  const reading: LoadContext = { file, displayPath, files, checker, remarks: source.remarks.copy() };
  const target = createPatchTarget(content);
  for (const patch of [options.patch ?? []].flat()) reportPatchRefusals(checker, applyPatch(checker, patch, target));
  const { sites, vpps, parts } = target;
  const isWhole = options.fromMs === undefined && options.toMs === undefined;
  const shared = isWhole ? source.unpatchedBuild : null;
  const sameAwards = shared !== null && target.awards === content.awards && target.bids === content.bids;
  const period = periodOf(reading, config, options);
  const seed = seedOf(reading, config, options);
  const roles = [...source.seriesReferences, ...impliedSeries(sites), `${config.frequency?.series}.${FREQUENCY_ROLE}`];
  const known = config.start < config.end ? period : null;
  const series = new SeriesRegistry(reading, { specs: config.series ?? {}, timezone }, known, roles, shared?.series);
  const building = buildContextOf(reading, { ...period, scenarioStartMs: config.start, timezone, series });
  const context = { scenarioStartMs: config.start, ...indicesByName(sites, vpps) };
  const bids = sameAwards ? shared.bids : buildBids(building, target.bids, context);
  const awardRows = bids.awards.length === 0 ? target.awards : [...target.awards, ...bids.awards];
  const rows = { awards: awardRows, instructions: instructionRows, events: eventRows };
  const callsOf = () => new ReductionCalls({ sites, vpps, ...rows, readActivation: activationReader(series) });
  const earlier = sameAwards ? shared.dayBaselines : undefined;
  const dayBaselines = new DayBaselineBuilder(building, timezone, callsOf, earlier);
  const sitesByKeys = new Map(shared?.sites);
  const siteSpecs = buildSites(building, sites, dayBaselines, sitesByKeys);
  const ids = new Set<string>();
  const awards = sameAwards ? shared.awards : buildAwards(building, rows.awards, context, ids);
  const instructions = sameAwards ? shared.instructions : buildInstructions(building, instructionRows, context, ids);
  const vppSpecs = buildVpps(reading, vpps, siteSpecs);
  const events = shared?.events ?? buildEvents(building, eventRows, { ...context, ...subjects(siteSpecs, vppSpecs) });
  // Listed key by key, not spread: see `withSeed`.
  const world: WorldSpec = {
    startMs: period.startMs,
    endMs: period.endMs,
    seed,
    streamsFromMs: config.start,
    sites: drawSites(siteSpecs, seed),
    vpps: vppSpecs,
    awards: awards.items,
    instructions: instructions.items,
    events: events.items,
    frequencyHz: frequencyOf(building, parts.frequency),
    energyPriceJpyPerKwh: marketSeries(building, parts.market, "energy_price"),
    charges: chargesOf(parts.market),
    investment: buildInvestment(building, parts.investment),
    currency: countedIn(checker, parts),
  };
  const settlement = buildSettlement(building, parts.settlement, rows.awards, world);
  const results = { bids: bids.slots, settlement, plans: planPrices(building, parts.market) };
  if (checker.errors.count > 0) throw checker.errors.toInputErrors();
  remarkDropped(reading.remarks, period.startMs, [awards, bids, instructions], events);
  series.remarkBridgedRows(reading.remarks);
  if (isWhole && options.patch === undefined)
    source.unpatchedBuild ??= { series, sites: sitesByKeys, dayBaselines, bids, awards, instructions, events };
  const checked = createCheckContext({ config, sites, vpps, ...rows, world }, checker, reading.remarks);
  return { world, dayBaselines, timezone, remarks: reading.remarks, checked, target, series, ...results };
}

const activationReader = (series: SeriesRegistry) => (award: AwardConfig) =>
  series.resolve(award, "activation", { interpolation: "step" });

interface BuildPeriod {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Start in the file; the run may begin later. */
  readonly scenarioStartMs: EpochMs;
  readonly timezone: string;
  readonly series: SeriesRegistry;
}

const buildContextOf = (
  reading: LoadContext,
  { startMs, endMs, scenarioStartMs, timezone, series }: BuildPeriod,
): BuildContext => ({
  ...reading,
  startMs,
  endMs,
  series,
  readTable: (entry, rowSchema) => readEntries(reading, [entry], rowSchema),
  localDays: (holidays) => localDays(timezone, holidays, scenarioStartMs, endMs),
});

const indicesByName = (sites: PatchTarget["sites"], vpps: PatchTarget["vpps"]) => ({
  vppIndexByName: new Map(vpps.map((vpp, k) => [vpp.config.name, k])),
  siteIndexByName: new Map(sites.map(({ name }, k) => [name, k])),
});

/** What events are about. */
const subjects = (sites: WorldSpec["sites"], vpps: WorldSpec["vpps"]) => ({
  sites,
  vppIdByName: new Map(vpps.map(({ name, vppId }) => [name, vppId])),
  emsIdByName: new Map(sites.map(({ name, emsId }) => [name, emsId])),
});

function reportPatchRefusals({ errors }: DocumentChecker, refusals: readonly PatchRefusal[]): void {
  const place = { file: "patch", line: 0, column: 0 };
  for (const { path, ...what } of refusals) errors.report({ ...place, keyPath: path, ...what });
}

/** The period of a run. After a wrong flag, the period of the file, so that the files are still checked. */
function periodOf(
  { checker }: LoadContext,
  keys: ScenarioConfig,
  { fromMs = keys.start, toMs = keys.end }: LoadOptions,
) {
  const refuse = (file: string, found: EpochMs, allowed: string) =>
    checker.errors.report({ file, line: 0, column: 0, keyPath: "", found: isoUtc(found), allowed });
  const isFromWrong = fromMs !== keys.start && (fromMs < keys.start || keys.end <= fromMs);
  if (isFromWrong) refuse("--from", fromMs, `an instant from ${isoUtc(keys.start)} until before ${isoUtc(keys.end)}`);
  const startMs = isFromWrong ? keys.start : fromMs;
  const isToWrong = toMs !== keys.end && (toMs <= startMs || keys.end < toMs);
  if (isToWrong) refuse("--to", toMs, `an instant after ${isoUtc(startMs)} until ${isoUtc(keys.end)}`);
  return { startMs, endMs: isToWrong ? keys.end : toMs };
}

/** A seed above 2^53 cannot be represented exactly and would differ from the flag. */
function seedOf({ checker }: LoadContext, keys: ScenarioConfig, { seed }: LoadOptions): number {
  if (seed === undefined) return keys.seed;
  if (!Number.isSafeInteger(seed) || seed < 0) {
    const allowed = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;
    checker.errors.report({ file: "--seed", line: 0, column: 0, keyPath: "", found: String(seed), allowed });
  }
  return seed;
}

/** @param sites  whose ids no VPP may have: a refresh token is derived from the id alone */
function buildVpps({ checker }: LoadContext, vpps: readonly ExpandedVpp[], sites: WorldSpec["sites"]): VppSpec[] {
  const holders = new Map(sites.map(({ name, emsId }) => [emsId, `the ems_id of site ${name}`]));
  return vpps.map(({ config, members }) => {
    const vppId = config.vpp_id ?? hexId(`vpp:${config.name}`);
    const own = `the vpp_id of VPP ${config.name}`;
    const other = holders.get(vppId);
    // Two VPPs of one name are refused elsewhere.
    if (other !== undefined && other !== own) checker.reportError(config, "vpp_id", other, "a vpp_id of its own");
    holders.set(vppId, own);
    return {
      name: config.name,
      vppId,
      members: members.map(({ siteIndex, config: member }) => ({
        site: siteIndex,
        label: member.label,
        resourceType: member.resource_type,
        allocationWeight: member.allocation_weight,
      })),
      options: {
        deltaExcess: config.delta_excess,
        strictAvailabilityCheck: config.strict_availability_check,
        immediateOverridesSchedule: config.immediate_overrides_schedule,
        fcrEnergyTestMinutes: config.fcr_energy_test_minutes,
        pvSetpoint: config.pv_setpoint,
        // Absent by default, so that the digest of scenarios without the key stays the same.
        ...(config.dispatch?.aware_of_energy === true ? { isEnergyAware: true } : {}),
      },
    };
  });
}

const FREQUENCY_ROLE = "frequency_hz";

function frequencyOf({ series }: BuildContext, frequency: ScenarioConfig["frequency"]): WorldSpec["frequencyHz"] {
  if (frequency?.generator !== undefined) {
    const { mean_hz, sigma_hz, time_constant_s } = frequency.generator;
    return { meanHz: mean_hz, sigmaHz: sigma_hz, timeConstantS: time_constant_s };
  }
  if (frequency?.series === undefined) return frequency?.constant_hz ?? 50;
  const source = { name: frequency.series, role: FREQUENCY_ROLE };
  return series.resolveRole(frequency, "series", source, { interpolation: "step", minimum: 40, maximum: 70 });
}

/** A price of the scenario's market; `null` without one. */
function marketSeries(
  { series }: BuildContext,
  market: ScenarioConfig["market"],
  key: "energy_price" | "price_forecast",
): Series | null {
  return market?.[key] === undefined ? null : series.resolve(market, key, { interpolation: "step", unit: "per kWh" });
}

function chargesOf(market: ScenarioConfig["market"]): WorldSpec["charges"] {
  const { fee_per_kwh: feePerKwh = null, wear_per_kwh: wearPerKwh = null } = market ?? {};
  return feePerKwh === null && wearPerKwh === null ? undefined : { feePerKwh, wearPerKwh };
}

/** Absent for JPY. A settlement is counted in the currency of its market. */
function countedIn(checker: DocumentChecker, { market, settlement }: PatchTarget["parts"]): WorldSpec["currency"] {
  const name = settlement?.market;
  const settled = name === undefined ? undefined : MARKETS[name].currency;
  const given = market?.currency;
  if (market !== undefined && given !== undefined && settled !== undefined && given !== settled)
    checker.reportError(market, "currency", given, `${settled}, the currency of settlement.market ${name}`);
  const currency = given ?? settled;
  return currency === "JPY" ? undefined : currency;
}

const followsPlan = ({ baseline }: SiteConfig): boolean =>
  baseline?.method === "series" && baseline.series.startsWith(`${PLAN_SERIES}.`);

/** Prices that only plans read. */
function planPrices(
  context: BuildContext,
  market: ScenarioConfig["market"],
): Pick<Scenario, "priceForecast" | "reservePrices"> {
  const prices = market?.reserve_price_per_kw_30min ?? {};
  const reservePrices = new Map<Sku, NumberOrSeries>();
  for (const sku of SKUS) {
    const price = numberOrSeries(context, prices, sku, { interpolation: "step" });
    if (price !== null) reservePrices.set(sku, price);
  }
  return { priceForecast: marketSeries(context, market, "price_forecast"), reservePrices };
}

/** What stands in lists before the run. */
interface Dropped {
  readonly droppedCount: number;
}

function remarkDropped(
  remarks: RemarkCollector,
  startMs: EpochMs,
  commands: readonly Dropped[],
  { droppedCount: eventCount }: Dropped,
): void {
  const commandCount = commands.reduce((sum, { droppedCount }) => sum + droppedCount, 0);
  if (commandCount + eventCount === 0) return;
  const what = `${commandCount} awards and instructions and ${eventCount} events`;
  remarks.add("left-out", () => ({ message: `Left out because they come before ${isoUtc(startMs)}: ${what}` }));
}

function reportOf({ report }: ScenarioConfig, { formats, times, csv }: LoadOptions): ReportSpec {
  return {
    intervalMs: report?.interval,
    powerIntervalMs: report?.power_interval ?? null,
    formats: formats ?? report?.formats,
    times: times ?? report?.times ?? null,
    csv: csv ?? report?.csv,
    omit: report?.omit,
  };
}

/** Start of the exported session, if it lies within the run; else `null`. */
function openingWithin({ session }: ScenarioConfig, { startMs, endMs }: WorldSpec): EpochMs | null {
  const openedMs = session?.opened_at ?? startMs;
  return startMs < openedMs ? Math.min(openedMs, endMs) : null;
}

/** Series that components use by name alone, as `series.role`. */
function impliedSeries(sites: readonly ExpandedSite[]): Iterable<string> {
  const references = new Set<string>();
  for (const { components = [] } of new Set(sites.map(({ config }) => config)))
    for (const component of components)
      for (const reference of kindOfKeys(component)?.scenario.impliedSeries(component) ?? []) references.add(reference);
  return references;
}
