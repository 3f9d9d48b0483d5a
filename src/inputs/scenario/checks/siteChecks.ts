import { sumOf } from "../../../base/lists.ts";
import { isoUtc } from "../../../base/time.ts";
import { Series } from "../../../engine/series/model/series.ts";
import { kindOf } from "../../../engine/site/components/registry.ts";
import { limitKwAt } from "../../../engine/site/limitsInForce.ts";
import type { SiteSpec } from "../../../engine/site/siteSpec.ts";
import type { AwardConfig, InstructionConfig } from "../schema/awardSchema.ts";
import type { SiteConfig } from "../schema/siteSchema.ts";
import { type CheckContext, siteEntries } from "./checkContext.ts";

/** Remarks on controllable sites that are no member of a VPP, and on VPPs without a controllable member. */
export function checkMembership(context: CheckContext): void {
  const { vpps, events, sites, world } = context;
  if (vpps.length === 0) return;
  const members = new Set(vpps.flatMap((vpp) => vpp.members.map(({ siteIndex }) => sites[siteIndex].name)));
  const operated = new Set<string>();
  for (const event of events) {
    if (event.kind === "add_member" || event.kind === "direct_schedule") operated.add(event.site);
    else if (event.kind === "request") operated.add(event.id);
  }
  sites.forEach(({ name, config }, k) => {
    const spec = world.sites[k];
    if (members.has(name) || operated.has(name) || operated.has(spec.emsId) || !isControllable(spec)) return;
    context.remark("site-without-vpp", [config, "name"], () => {
      const names = vpps.map((vpp) => vpp.config.name).join(", ");
      return `site ${name} is a member of no VPP (${names}) and gets no instruction; add it to members, or remove it`;
    });
  });
  for (const { config, members: list } of vpps) {
    const weights = list.map(({ config: member }) => member.allocation_weight);
    const changes = events.some((event) => "vpp" in event && event.vpp === config.name);
    if (list.length === 0 || changes || weights.some((weight) => weight > 0)) continue;
    context.remark(
      "weights-zero",
      [config, "members"],
      () => `all members of VPP ${config.name} have allocation_weight 0, so that nothing is dispatched`,
    );
  }
}

/**
 * Whether a site has storage, a plant or a reducible load. PV, wind and other loads may be there only for their power.
 */
const isControllable = ({ components }: SiteSpec): boolean =>
  components.some((component) => {
    const { operation, study } = kindOf(component);
    return study.drivingSeries(component) === null || operation.loadTerms(component)?.drCapable === true;
  });

/** Remarks on names that readers may confuse. */
export function checkNames(context: CheckContext): void {
  const check = (what: string, entries: readonly (readonly [name: string, owner: object])[]) => {
    const known = new Map<string, string>();
    for (const [name, owner] of entries) {
      const plain = name.normalize("NFKC").toLowerCase().replaceAll(/[-_]/g, "");
      const other = known.get(plain);
      if (other === undefined) known.set(plain, name);
      else
        context.remark(
          "similar-names",
          [owner, "name"],
          () =>
            `${what} ${name} and ${what} ${other} differ only in case, width, - or _; rename one if they are not the same`,
        );
    }
  };
  check(
    "site",
    context.sites.map(({ name, config }) => [name, config]),
  );
  check(
    "VPP",
    context.vpps.map(({ config }) => [config.name, config]),
  );
}

/** Compares loads and plans with the limits of the connection point. */
export function checkConnections(context: CheckContext): void {
  for (const { first, label } of siteEntries(context)) {
    const keys = context.sites[first].config;
    const spec = context.world.sites[first];
    checkLimitRatings(context, keys, spec, label);
    checkUncontrolledPower(context, keys, spec, label);
    checkPlan(context, keys, spec, label);
    checkTimes(context, keys, spec, label);
  }
}

/** A limit below this share of the ratings behind it was probably meant in MW. */
const LIMIT_SHARE_MIN = 0.005;

function checkLimitRatings(context: CheckContext, keys: SiteConfig, spec: SiteSpec, label: string): void {
  const { siteImportMaxKw, siteExportMaxKw } = spec.constraints;
  const sumOfComponents = (figure: "ratedImportKw" | "ratedExportKw") =>
    sumOf(spec.components, (component) => kindOf(component).operation[figure](component));
  const limits = [
    ["site_import_max_kw", siteImportMaxKw, sumOfComponents("ratedImportKw")],
    ["site_export_max_kw", siteExportMaxKw, sumOfComponents("ratedExportKw")],
  ] as const;
  for (const [key, limit, ratedKw] of limits) {
    const limitKw = typeof limit === "number" ? limit : (context.extremesOf(limit)?.most.value ?? 0);
    if (limitKw <= 0 || LIMIT_SHARE_MIN * ratedKw <= limitKw) continue;
    context.remark("connection-limit", [keys.constraints, key], () => {
      const found = typeof limit === "number" ? `${key} is ${limitKw} kW` : `${key} is at most ${limitKw} kW`;
      const advice = typeof limit === "number" ? `Write ${limitKw * 1000}` : "Write the series in kW";
      return `${label}: ${found} for components rated at ${ratedKw} kW; MW instead of kW? ${advice}`;
    });
  }
}

/** Compares the power without instructions, less the power of storage and plants, with the import limit. */
function checkUncontrolledPower(context: CheckContext, keys: SiteConfig, spec: SiteSpec, label: string): void {
  const { startMs, endMs } = context.world;
  const limit = spec.constraints.siteImportMaxKw;
  const leastLimitKw = typeof limit === "number" ? limit : (context.extremesOf(limit)?.least.value ?? 0);
  if (highestLoadKw(context, spec) <= leastLimitKw) return;
  const series: Series[] = [];
  let constantKw = 0;
  for (const component of spec.components) {
    const { operation, study } = kindOf(component);
    const kw = operation.uncontrolledKw(component, spec.constraints.siteExportMaxKw);
    if (kw instanceof Series) series.push(kw);
    else constantKw += kw;
    if (study.drivingSeries(component) === null) constantKw -= operation.ratedExportKw(component);
  }
  let worst: { readonly kw: number; readonly atMs: number; readonly limitKw: number } | null = null;
  for (const { timesMs } of typeof limit === "number" ? series : [...series, limit])
    for (const stampMs of timesMs) {
      const atMs = Math.max(stampMs, startMs);
      if (endMs <= stampMs) break;
      const kw = series.reduce((sum, each) => sum + valueWithin(each, atMs), constantKw);
      const limitKw = limitKwAt(limit, atMs);
      if (limitKw < kw && (worst === null || worst.kw - worst.limitKw < kw - limitKw)) worst = { kw, atMs, limitKw };
    }
  if (worst === null) return;
  const { kw: worstKw, atMs: worstMs, limitKw } = worst;
  context.remark("load-above-limit", [keys.constraints, "site_import_max_kw"], () => {
    const load = `the load of ${label} reaches ${round(worstKw)} kW at ${isoUtc(worstMs)}`;
    return `${load}, above its site_import_max_kw of ${limitKw} kW, and a load is not cut by it; write the real limit, or a load in kW`;
  });
}

/** Upper bound: the largest loads, whenever they occur. */
function highestLoadKw({ extremesOf }: CheckContext, { components }: SiteSpec): number {
  let sumKw = 0;
  for (const component of components) {
    const { operation, study } = kindOf(component);
    const load = operation.loadTerms(component);
    const series = study.drivingSeries(component);
    if (load !== null && series !== null) sumKw += Math.min(load.maxDemandKw, extremesOf(series)?.most.value ?? 0);
  }
  return sumKw;
}

const valueWithin = (series: Series, atMs: number): number =>
  atMs < series.startMs || series.untilMs < atMs ? 0 : series.valueAt(atMs);

const round = (kw: number): number => Math.round(10 * kw) / 10;

/** Compares the registered plan with the direction and the limits of the connection. */
function checkPlan(context: CheckContext, keys: SiteConfig, spec: SiteSpec, label: string): void {
  const { baseline, capability, constraints } = spec;
  const owner = keys.baseline ?? keys;
  const key = baseline.method === "constant" ? "kw" : baseline.method === "series" ? "series" : "method";
  const place = [owner, keys.baseline === undefined ? null : key] as const;
  const extremes = planExtremes(context, spec);
  if (extremes === null) return;
  const { least, most } = extremes;
  const textOf = (kw: number, atMs: number) => `the baseline of ${label} is ${round(kw)} kW at ${isoUtc(atMs)}`;
  if (least.value < 0 && !capability.reverseFlowAllowed)
    context.remark("plan-exports", place, () => {
      const advice = "import is positive: change the sign, or write capability: {reverse_flow_allowed: true}";
      return `${textOf(least.value, least.atMs)}, which is export, but reverse flow is not allowed there; ${advice}`;
    });
  for (const [sign, extreme, limitKey] of [
    [1, most, "site_import_max_kw"],
    [-1, least, "site_export_max_kw"],
  ] as const) {
    const limit = sign > 0 ? constraints.siteImportMaxKw : constraints.siteExportMaxKw;
    const worst = typeof limit === "number" ? { ...extreme, limitKw: limit } : planAtLimit(context, spec, sign, limit);
    if (worst === null || sign * worst.value <= 0 || sign * worst.value <= worst.limitKw) continue;
    if (typeof limit === "number" && limit === 0) continue;
    context.remark(
      "plan-above-limit",
      place,
      () => `${textOf(worst.value, worst.atMs)}, beyond its ${limitKey} of ${worst.limitKw} kW`,
    );
  }
}

/** The baseline where it exceeds a limit that changes most, or comes closest to it. @param sign  1: import, -1: export */
function planAtLimit({ world }: CheckContext, { baseline }: SiteSpec, sign: 1 | -1, limit: Series) {
  const plan = "plan" in baseline ? baseline.plan : baseline.method === "constant" ? baseline.kw : null;
  if (plan === null) return null;
  const kwAt = (atMs: number): number => (typeof plan === "number" ? plan : valueWithin(plan, atMs));
  let worst: { readonly value: number; readonly atMs: number; readonly limitKw: number } | null = null;
  for (const { timesMs } of typeof plan === "number" ? [limit] : [limit, plan])
    for (const stampMs of timesMs) {
      const atMs = Math.max(stampMs, world.startMs);
      if (world.endMs <= stampMs) break;
      const value = kwAt(atMs);
      const limitKw = limitKwAt(limit, atMs);
      if (worst === null || sign * worst.value - worst.limitKw < sign * value - limitKw)
        worst = { value, atMs, limitKw };
    }
  return worst;
}

function planExtremes({ world, extremesOf }: CheckContext, { baseline }: SiteSpec) {
  if (baseline.method === "constant") {
    const extreme = { value: baseline.kw, atMs: world.startMs };
    return { least: extreme, most: extreme };
  }
  return "plan" in baseline ? extremesOf(baseline.plan) : null;
}

/** More than the deviation of any grid from its nominal frequency. */
const FREQUENCY_DIFFERENCE_MAX_HZ = 2;

function checkTimes(context: CheckContext, keys: SiteConfig, spec: SiteSpec, label: string): void {
  const { outages, fcr, capability } = spec;
  if (outages !== null && outages.meanRepairMs > outages.meanUpMs)
    context.remark(
      "repair-time",
      [keys.outages ?? keys, "mttr"],
      () => `${label}: the mean repair time mttr is longer than the mean up time mtbf; are the two exchanged?`,
    );
  const gridHz = meanFrequencyHz(context);
  if (capability.fcrCapable && Math.abs(gridHz - fcr.freqRefHz) > FREQUENCY_DIFFERENCE_MAX_HZ)
    context.remark(
      "frequency-reference",
      [keys.fcr_config, "freq_ref"],
      () =>
        `${label} regulates to ${fcr.freqRefHz} Hz in a grid of ${round(gridHz)} Hz; write freq_ref: ${Math.round(gridHz)}`,
    );
}

function meanFrequencyHz({ world }: CheckContext): number {
  const { frequencyHz } = world;
  if (typeof frequencyHz === "number") return frequencyHz;
  return frequencyHz instanceof Series ? frequencyHz.values[0] : frequencyHz.meanHz;
}

/** Characters, also full-width ones, that make a spreadsheet read a cell as a formula. */
const FORMULA_START = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Ids that a spreadsheet takes for formulas (docs/model/report-files.md#formula-cells). */
export function checkFormulaText(context: CheckContext): void {
  const check = (owner: object, key: string, text: string) => {
    if (!FORMULA_START.test(text)) return;
    context.remark("formula-text", [owner, key], () => {
      const found = `${key} ${JSON.stringify(text)} begins with ${text[0]}`;
      return `${found}; CSV files contain it unchanged, and a spreadsheet reads it as a formula; begin it with a letter or digit`;
    });
  };
  const checkId = (command: AwardConfig | InstructionConfig) => check(command, "award_id", command.award_id ?? "");
  context.awards.forEach(checkId);
  context.instructions.forEach(checkId);
  // Sites of one entry share their keys.
  for (const config of new Set(context.sites.map((site) => site.config)))
    for (const component of config.components) checkTexts(component, check);
}

/** Every text below the keys of a component: ids of the component and of its parts. */
function checkTexts(value: object, check: (owner: object, key: string, text: string) => void): void {
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === "string") check(value, key, member);
    else if (typeof member === "object" && member !== null) checkTexts(member, check);
  }
}
