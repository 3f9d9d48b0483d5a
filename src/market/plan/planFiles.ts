import { stringify as stringifyCsv } from "csv-stringify/sync";
import { parse, stringify } from "yaml";
import { utf8Text } from "../../base/bytes.ts";
import { currencyOf } from "../../base/currency.ts";
import { formatNameList, inputRefusal } from "../../base/inputError.ts";
import { sumOf } from "../../base/lists.ts";
import { relative, resolve } from "../../base/paths.ts";
import { roundTo } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import { isoUtc } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { resolveBeside } from "../../inputs/scenario/parse/loadContext.ts";
import { relocateFiles } from "../../inputs/scenario/relocateFiles.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { textsIn } from "../../report/html/page/pageLocale.ts";
import { PLAN_SERIES, plannedAwardId } from "../planNames.ts";
import { awardsText, planAssumptions } from "./planAssumptions.ts";
import { type PlanOptions, plannedCharges } from "./planOptions.ts";
import { PLAN_JSON, type PlanPlace, planOrigin } from "./planPlace.ts";
import { leftOutSites, type SitePlan } from "./planScenario.ts";
import { planTotals } from "./planTotals.ts";
import { SLOT_MS } from "./rollingPlan.ts";

/** Of plan.json. */
const ENGLISH = textsIn("en");

type Mapping = Record<string, unknown>;

const PLAN_FILE = "plan.csv";
const AWARDS_FILE = "reserve.csv";

/**
 * Files of a plan by name: the powers, the reserve as awards, the assumptions with the totals, and the scenario that runs
 * by the plan. They name other files by paths from their own folder.
 *
 * @throws InputErrors if a planned site has no entry of its own in the scenario
 */
export function planFiles(
  scenario: Scenario,
  plans: readonly SitePlan[],
  options: PlanOptions,
  place: PlanPlace,
): ReadonlyMap<string, string> {
  const files = new Map([
    [PLAN_FILE, planRows(plans)],
    [PLAN_JSON, `${JSON.stringify(planJson(scenario, plans, { options, place }), null, 2)}\n`],
  ]);
  const awards = options.reserve === null ? [] : reserveRows(scenario, plans, options.reserve.sku);
  const priceKey = currencyOf(scenario.world) === "JPY" ? "price_jpy_per_kw_30min" : "price_per_kw_30min";
  if (awards.length > 0) files.set(AWARDS_FILE, stringifyCsv([[...AWARD_COLUMNS, priceKey], ...awards]));
  const texts = textsIn(scenario.language, currencyOf(scenario.world));
  const assumptions = planAssumptions(plans, options, scenario, texts).map(([name, text]) =>
    texts.t("plan.assumption", { name, text }),
  );
  const planned = texts.t("plan.planned_with", { assumptions: assumptions.join(texts.t("clause.separator")) });
  const end = scenario.description === "" ? "" : texts.t("sentence.end");
  const description = `${scenario.description}${end}${planned}`;
  const terms = { place, description, hasAwards: awards.length > 0, charges: plannedCharges(scenario.world, options) };
  return files.set("scenario.yaml", plannedScenario(scenario, plans, terms));
}

function planRows(plans: readonly SitePlan[]): string {
  const slots = plans.map(({ days }) => days.flatMap((day) => day.slots));
  const rows = slots[0].map(({ startMs }, k) => [isoUtc(startMs), ...slots.map((own) => own[k].kw.toFixed(1))]);
  return stringifyCsv([["timestamp", ...plans.map(({ site }) => columnOf(site))], ...rows]);
}

const columnOf = (site: string): string => `${site}_kw`;

const AWARD_COLUMNS = ["vpp", "award_id", "sku", "start", "end", "delta_kw", "activation"];

/** One award per slot; the reserve of all sites of a VPP is one amount. */
function reserveRows({ world }: Scenario, plans: readonly SitePlan[], sku: Sku): string[][] {
  const rows: string[][] = [];
  for (const vpp of world.vpps) {
    const names = vpp.members.map(({ site }) => world.sites[site].name);
    const own = plans.filter(({ site }) => names.includes(site)).map(({ days }) => days.flatMap((day) => day.slots));
    if (own.length === 0) continue;
    own[0].forEach(({ startMs, reservePricePerKwSlot }, k) => {
      const kw = sumOf(own, (slots) => slots[k].reserveKw);
      if (kw > 0)
        rows.push([
          vpp.name,
          `${plannedAwardId(vpp.name)}${k + 1}`,
          sku,
          isoUtc(startMs),
          isoUtc(startMs + SLOT_MS),
          (-kw).toFixed(1),
          "0",
          String(reservePricePerKwSlot),
        ]);
    });
  }
  return rows;
}

interface PlanTerms {
  readonly options: PlanOptions;
  readonly place: PlanPlace;
}

function planJson(scenario: Scenario, plans: readonly SitePlan[], { options, place }: PlanTerms): object {
  const { name, hash, world } = scenario;
  return {
    scenario: name,
    hash,
    currency: currencyOf(scenario.world),
    origin: planOrigin(scenario, options, place),
    left_out: leftOutSites(scenario, options.sites, ENGLISH),
    period: { start: isoUtc(world.startMs), end: isoUtc(world.endMs) },
    assumptions: assumptionsJson(plans, options),
    totals: planTotals(plans),
    awards: awardsText(plans, ENGLISH),
    days: plans.map(({ site, days }) => ({
      site,
      usable_kwh: days.map(({ usableKwh }) => roundTo(usableKwh, 3)),
      energy_cash: days.map(({ energyAmount }) => roundTo(energyAmount, 3)),
      reserve_cash: days.map(({ reserveAmount }) => roundTo(reserveAmount, 3)),
    })),
  };
}

/** A plan with what it was found from. */
export interface FoundPlan {
  readonly scenario: Scenario;
  readonly options: PlanOptions;
  readonly plans: readonly SitePlan[];
  /** The plan without reserve; `null` where none is offered. */
  readonly energyAlone: readonly SitePlan[] | null;
}

/** What `--json` prints. */
export const planResultJson = ({ scenario, options, plans, energyAlone }: FoundPlan) => ({
  scenario: scenario.name,
  assumptions: assumptionsJson(plans, options),
  totals: planTotals(plans),
  ...(energyAlone === null ? {} : { energy_alone: planTotals(energyAlone) }),
  left_out: leftOutSites(scenario, options.sites, ENGLISH),
});

function assumptionsJson(plans: readonly SitePlan[], { reserve, ...options }: PlanOptions) {
  return {
    foresight: options.forecast,
    horizon: "the local day and the next one; the first is carried out",
    cycles_per_day: options.cyclesPerDay,
    fee_per_kwh: options.feePerKwh,
    wear_per_kwh: options.wearPerKwh,
    reserve:
      reserve === null
        ? null
        : { sku: reserve.sku, price_per_kw: reserve.pricePerKw, sustained_hours: reserve.sustainedHours },
    is_ageing: plans.some(({ storage }) => storage.isAgeing),
    efficiencies: Object.fromEntries(
      plans.map(({ site, storage }) => [site, [storage.chargeEfficiency, storage.dischargeEfficiency]]),
    ),
  };
}

interface PlannedTerms {
  readonly place: PlanPlace;
  /** In the language of the scenario. */
  readonly description: string;
  readonly hasAwards: boolean;
  readonly charges: NonNullable<WorldSpec["charges"]>;
}

/**
 * The scenario with the plan as baselines, the reserve as awards, and the fee and wear of the plan as charges. Its description, which heads the report, names what the
 * plan assumes.
 */
function plannedScenario(
  { file }: Scenario,
  plans: readonly SitePlan[],
  { place, description, hasAwards, charges: { feePerKwh, wearPerKwh } }: PlannedTerms,
): string {
  const document = parse(utf8Text(place.files.read(file) ?? new Uint8Array())) as Mapping;
  document.name = place.name;
  document.description = description;
  relocateFiles(document, (path) => relative(resolve(place.folder), resolveBeside(file, path)));
  document.series = { ...(document.series as Mapping | undefined), [PLAN_SERIES]: { file: PLAN_FILE } };
  if (feePerKwh !== null || wearPerKwh !== null)
    document.market = {
      ...(document.market as Mapping | undefined),
      ...(feePerKwh === null ? {} : { fee_per_kwh: feePerKwh }),
      ...(wearPerKwh === null ? {} : { wear_per_kwh: wearPerKwh }),
    };
  const entries = (document.sites ?? []) as Mapping[];
  for (const { site } of plans) {
    const entry = entries.find(({ name, count = 1 }) => name === site && count === 1);
    if (entry === undefined)
      throw inputRefusal(
        { file, keyPath: "sites" },
        `no entry of its own for ${site}`,
        `an entry with the name of the site and without count; there are ${formatNameList(entries.map(({ name }) => String(name)))}`,
      );
    const { error } = (entry.baseline ?? {}) as Mapping;
    const series = `${PLAN_SERIES}.${columnOf(site)}`;
    entry.baseline = { method: "series", series, ...(error === undefined ? {} : { error }) };
  }
  if (hasAwards) document.awards = [...((document.awards ?? []) as Mapping[]), { file: AWARDS_FILE }];
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
