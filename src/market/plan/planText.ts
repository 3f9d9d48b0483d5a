// What `vppsim plan` prints.
import { formatFixed } from "../../report/html/page/format.ts";
import { currencyUnit } from "../../report/html/page/money.ts";
import { nameList, type PageTexts } from "../../report/html/page/pageLocale.ts";
import { padEndColumns, widestColumns } from "../../report/terminalText.ts";
import type { TextKey } from "../../texts/catalogue.ts";
import type { CashDifference } from "./cashDifference.ts";
import { planAssumptions } from "./planAssumptions.ts";
import type { FoundPlan } from "./planFiles.ts";
import { type LeftOutSite, leftOutSites, type SitePlan } from "./planScenario.ts";
import { type PlanTotals, planTotals } from "./planTotals.ts";

type Line = readonly [string, string];

/** @param next  the command that runs the plan; `null`: it is run at once */
export function planText(
  { scenario, options, plans, energyAlone }: FoundPlan,
  next: string | null,
  texts: PageTexts,
): string {
  const { t } = texts;
  const assumptions: readonly Line[] = [
    [t("plan.print_sites"), plans.map(({ site }) => site).join(t("list.separator"))],
    ...leftOutTexts(leftOutSites(scenario, options.sites, texts), texts).map(
      (text, k): Line => [k === 0 ? t("plan.print_left_out") : "", text],
    ),
    ...planAssumptions(plans, options, scenario, texts),
  ];
  const results: readonly Line[] =
    energyAlone === null
      ? totalLines(plans, texts)
      : [
          [t("plan.print_alone"), ""],
          ...totalLines(energyAlone, texts),
          [t("plan.print_with_reserve"), ""],
          ...totalLines(plans, texts),
        ];
  const title = t("plan.print_title", { scenario: scenario.name, count: plans[0].days.length });
  const hint = next === null ? [] : [t("plan.print_run", { command: next }), ""];
  return [title, "", ...alignedLines([...assumptions, ["", ""], ...results]), "", ...hint].join("\n");
}

/** The sites that are not planned, by reason. */
export function leftOutTexts(sites: readonly LeftOutSite[], texts: PageTexts): readonly string[] {
  const reasons = [...new Set(sites.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const names = sites.filter((site) => site.reason === reason).map(({ site }) => site);
    return texts.t("plan.site_reason", { sites: nameList(names, 10, texts), reason });
  });
}

function totalLines(plans: readonly SitePlan[], texts: PageTexts): readonly Line[] {
  const { t } = texts;
  const totals = planTotals(plans);
  const cycles = formatFixed(totals.full_cycles, 1);
  return [
    [t("plan.print_energy"), money(totals.energy_cash, texts)],
    [t("plan.print_fees"), money(totals.fee_cash, texts)],
    ...(totals.reserve_cash === 0 ? [] : [[t("plan.print_reserve"), money(totals.reserve_cash, texts)] as const]),
    [t("plan.print_cash"), t("plan.print_cash_text", { cash: money(totals.cash, texts) })],
    [t("plan.print_discharged"), t("plan.print_cycles", { kwh: formatFixed(totals.discharged_kwh, 1), cycles })],
  ];
}

/** Cash as planned and as run, with the causes of the difference. */
export function differenceText(totals: PlanTotals, difference: CashDifference, texts: PageTexts): string {
  const { t } = texts;
  const [planned, run, change, ...causes] = differenceRows(totals, difference);
  const line = ({ key, amount }: DifferenceRow, indent = ""): Line => [
    `${indent}${t(key).toLowerCase()}`,
    money(amount, texts),
  ];
  const [label, amount] = line(change);
  const lines: readonly Line[] = [
    line(planned),
    line(run),
    [label, causes.length === 0 ? amount : t("plan.of_which", { amount })],
    ...causes.map((row) => line(row, "  ")),
  ];
  return ["", ...alignedLines(lines), "", ""].join("\n");
}

interface DifferenceRow {
  readonly key: TextKey;
  readonly amount: number;
}

const SHOWN_MIN = 0.5;

/** Planned, run and difference, then the causes that print as more than 0. */
export const differenceRows = (
  { cash: planned }: PlanTotals,
  { cash, causes }: CashDifference,
): readonly DifferenceRow[] => [
  { key: "plan.as_planned", amount: planned },
  { key: "plan.as_run", amount: cash },
  { key: "plan.difference", amount: cash - planned },
  ...causes.filter(([, amount]) => SHOWN_MIN <= Math.abs(amount)).map(([key, amount]) => ({ key, amount })),
];

const money = (amount: number, texts: PageTexts): string => `${formatFixed(amount, 0)} ${currencyUnit(texts)}`;

function alignedLines(lines: readonly Line[]): string[] {
  const width = 2 + widestColumns(lines.map(([label]) => label));
  return lines.map(([label, value]) => `  ${padEndColumns(label, width)}${value}`.trimEnd());
}
