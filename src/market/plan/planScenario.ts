import { formatNameList, inputRefusal } from "../../base/inputError.ts";
import type { EpochMs } from "../../base/time.ts";
import { kindOf } from "../../engine/site/components/registry.ts";
import type { PlannableStorage, PlanObstacle } from "../../engine/site/components/studyFacet.ts";
import { smallestLimitKw } from "../../engine/site/limitsInForce.ts";
import type { SiteSpec } from "../../engine/site/siteSpec.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import { type AwardUse, awardUses } from "./awardUse.ts";
import type { PlanOptions } from "./planOptions.ts";
import { planDaysOf } from "./planPrices.ts";
import { type DayPlan, type PlannedConnection, planDays, SLOT_MS } from "./rollingPlan.ts";
import type { SlotLimits } from "./storageProgramme.ts";

/** The plan of one site. */
export interface SitePlan {
  readonly site: string;
  readonly storage: PlannableStorage;
  readonly days: readonly DayPlan[];
  /** `null`: the scenario has no awards. */
  readonly awards: AwardUse | null;
}

/**
 * Plans the batteries of a scenario against its price, day by day (docs/model/planning.md).
 *
 * @param onProgress  called with the planned fraction, 0..1
 * @throws InputErrors if the scenario has no price that an option needs, or if a site cannot be planned
 */
export async function planScenario(
  scenario: Scenario,
  options: PlanOptions,
  onProgress: (done: number) => void,
): Promise<readonly SitePlan[]> {
  const days = planDaysOf(scenario, options);
  const sites = plannedSites(scenario, options.sites);
  const rules = { ...options, sustainedHours: options.reserve?.sustainedHours ?? 0 };
  const { world } = scenario;
  const storages = new Map(sites.map(({ site, connection }) => [site.name, connection.storage]));
  const uses = await awardUses(world, storages);
  const plans: SitePlan[] = [];
  for (const [n, { site, connection }] of sites.entries()) {
    const awards = uses.get(site.name) ?? null;
    const limitsOver = (fromMs: EpochMs, toMs: EpochMs): SlotLimits => {
      const limits = connection.limitsOver(fromMs, toMs);
      return awards?.limitsBeside(Math.round((fromMs - world.startMs) / SLOT_MS), limits) ?? limits;
    };
    const progress = (done: number): void => onProgress((n + done) / sites.length);
    const planned = await planDays({ storage: connection.storage, limitsOver }, days, rules, progress);
    plans.push({ site: site.name, storage: connection.storage, days: planned, awards });
  }
  return plans;
}

/** A site that a plan leaves out. */
export interface LeftOutSite {
  readonly site: string;
  readonly reason: string;
}

/** Sites without a planning model, and those that the names do not select; in the order of the scenario. */
export const leftOutSites = ({ world }: Scenario, names: readonly string[], texts: PageTexts): readonly LeftOutSite[] =>
  world.sites.flatMap((spec) => {
    const connection = connectionOf(spec);
    if ("limitsOver" in connection)
      return names.length === 0 || names.includes(spec.name)
        ? []
        : [{ site: spec.name, reason: texts.t("plan.left_not_selected") }];
    return [{ site: spec.name, reason: obstacleText(connection, texts) }];
  });

function obstacleText(obstacles: readonly (PlanObstacle | "several_components")[], { t }: PageTexts): string {
  const features = obstacles.flatMap((obstacle) =>
    obstacle === "no_battery" || obstacle === "several_components" ? [] : [t(`plan.feature_${obstacle}`)],
  );
  if (features.length > 0) return t("plan.left_battery", { features: features.join(t("list.separator")) });
  return t(obstacles.includes("no_battery") ? "plan.left_no_battery" : "plan.left_several_components");
}

interface PlannedSite {
  readonly site: SiteSpec;
  readonly connection: PlannedConnection;
}

function plannedSites({ file, world }: Scenario, names: readonly string[]): PlannedSite[] {
  const possible = world.sites.flatMap((site) => {
    const connection = connectionOf(site);
    return "limitsOver" in connection ? [{ site, connection }] : [];
  });
  const possibleNames = possible.map(({ site }) => site.name);
  const allowed = `a site that only has a battery without ramp, delay, taper, self-discharge and auxiliaries: ${formatNameList(possibleNames) || "there is none"}`;
  for (const name of names)
    if (!possibleNames.includes(name)) throw inputRefusal("--site", JSON.stringify(name), allowed);
  const chosen = names.length === 0 ? possible : possible.filter(({ site }) => names.includes(site.name));
  if (chosen.length === 0) throw inputRefusal(file, "no site to plan", allowed);
  return chosen;
}

/** A list for a site without a planning model: why it has none. */
function connectionOf({
  components,
  constraints,
  capability,
}: SiteSpec): PlannedConnection | readonly (PlanObstacle | "several_components")[] {
  const [component] = components;
  if (components.length !== 1) return ["several_components"];
  const storage = kindOf(component).study.plannableStorage(component);
  if (!("rangeKwh" in storage)) return storage;
  const limitsOver = (fromMs: EpochMs, toMs: EpochMs) => ({
    importMaxKw: Math.min(storage.importMaxKw, smallestLimitKw(constraints.siteImportMaxKw, fromMs, toMs)),
    exportMaxKw: capability.reverseFlowAllowed
      ? Math.min(storage.exportMaxKw, smallestLimitKw(constraints.siteExportMaxKw, fromMs, toMs))
      : 0,
  });
  return { storage, limitsOver };
}
