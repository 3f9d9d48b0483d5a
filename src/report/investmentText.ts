import type { RunRecord } from "../accounting/runRecord.ts";
import type { PageTexts } from "./html/page/pageLocale.ts";

interface Invested extends Pick<RunRecord, "investment"> {
  readonly kpis: { readonly get: (name: "lost_capacity_kwh" | "settled_cash") => unknown };
}

/** What is always said of the figures of an investment; `null` without one. */
export function investmentSentence({ investment, kpis }: Invested, { t }: Pick<PageTexts, "t">): string | null {
  if (investment === undefined) return null;
  const { lifetimeYears: years, discountPct: discount } = investment;
  const isAgeing = typeof kpis.get("lost_capacity_kwh") === "number";
  const always = t("investment.always", {
    years,
    discount: String(discount),
    ageing: t(isAgeing ? "investment.ageing" : "investment.no_ageing"),
  });
  const isSettled = typeof kpis.get("settled_cash") === "number";
  return isSettled ? t("investment.unsettled", { always }) : always;
}
