import { sumOf } from "../../base/lists.ts";
import { roundTo } from "../../base/rounding.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { currencyUnit } from "../../report/html/page/money.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import type { AwardUse } from "./awardUse.ts";
import type { PlanOptions, ReserveOption } from "./planOptions.ts";
import type { SitePlan } from "./planScenario.ts";

/** The assumptions of a plan as texts, by name (docs/model/planning.md#assumptions). */
export function planAssumptions(
  plans: readonly SitePlan[],
  { forecast, cyclesPerDay, feePerKwh, wearPerKwh, reserve }: PlanOptions,
  scenario: Scenario,
  texts: PageTexts,
): readonly (readonly [string, string])[] {
  const { t } = texts;
  const currency = currencyUnit(texts);
  const efficiencies = plans.map(({ storage: { chargeEfficiency, dischargeEfficiency } }) =>
    t("plan.efficiencies", { charging: percent(chargeEfficiency), discharging: percent(dischargeEfficiency) }),
  );
  const isAgeing = plans.some(({ storage }) => storage.isAgeing);
  const offer = reserve === null ? t("plan.none") : reserveText(reserve, currency, texts);
  return [
    [t("plan.of_foresight"), t(`plan.foresight_${forecast}`)],
    [
      t("plan.of_cycles"),
      cyclesPerDay === null ? t("plan.no_limit") : t("plan.cycles_limit", { cycles: String(cyclesPerDay) }),
    ],
    [t("plan.of_efficiency"), [...new Set(efficiencies)].join(t("clause.separator"))],
    [t("plan.of_fees"), t("plan.fee_and_wear", { fee: String(feePerKwh), wear: String(wearPerKwh), currency })],
    [t("plan.of_ageing"), t(isAgeing ? "plan.ageing" : "plan.no_ageing")],
    [t("plan.of_awards"), awardsText(plans, texts)],
    [t("plan.of_reserve"), reserve === null ? offer : withSharers(offer, plans, scenario, texts)],
    [t("plan.of_market"), t("plan.market")],
  ];
}

const percent = (share: number): string => String(roundTo(100 * share, 2));

/** What the plan leaves to awards of the scenario (docs/model/planning.md#awards). */
export function awardsText(plans: readonly SitePlan[], { t }: PageTexts): string {
  const uses = plans.flatMap(({ awards }) => awards ?? []);
  const hours = Math.max(0, ...uses.map((use) => use.hours));
  if (hours === 0) return t("plan.none");
  const sum = (read: (use: AwardUse) => number): string => formatFixed(sumOf(uses, read), 1);
  return t("plan.awards_kept", {
    hours: formatFixed(hours, 1),
    export_kw: sum((use) => use.exportKw),
    export_kwh: sum((use) => use.exportKwh),
    import_kw: sum((use) => use.importKw),
    import_kwh: sum((use) => use.importKwh),
  });
}

/** With the members of the VPPs that sell the reserve and are not planned: dispatch allocates it to all members by weight. */
function withSharers(
  offer: string,
  plans: readonly SitePlan[],
  { world: { sites, vpps } }: Scenario,
  { t }: PageTexts,
): string {
  const isPlanned = (site: number): boolean => plans.some((plan) => plan.site === sites[site].name);
  const others = vpps
    .map(({ members }) => members.map(({ site }) => site))
    .filter((members) => members.some(isPlanned))
    .flatMap((members) => members.filter((site) => !isPlanned(site)))
    .map((site) => sites[site].name);
  if (others.length === 0) return offer;
  return t("plan.participants", { offer, sites: [...new Set(others)].join(t("list.separator")) });
}

function reserveText({ sku, pricePerKw, sustainedHours }: ReserveOption, currency: string, { t }: PageTexts): string {
  const price =
    pricePerKw === null ? t("plan.reserve_prices") : t("plan.reserve_price", { price: String(pricePerKw), currency });
  return t("plan.reserve_offer", { sku, price, hours: String(sustainedHours) });
}
