// The settlement of one run as an HTML file, beside its report or in a folder of its own.

import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import type { SettledRun } from "../../settle/settledRun.ts";
import { settlementSections } from "../sections/settlementSection.ts";
import { renderDocument } from "./document.ts";
import { createPageLocale } from "./pageLocale.ts";
import { footerOf, headerOf, type ReportPage } from "./reportPage.ts";

export const SETTLEMENT_PAGE = "settlement.html";

interface SettlementPage extends Pick<ReportPage, "scenario" | "version"> {
  readonly settled: SettledRun;
  /** Of the run, for links into the report beside the page; empty where there is no report. */
  readonly awards: readonly AwardRow[];
}

/** A self-contained page, but for links to report.html. */
export function renderSettlementHtml(page: SettlementPage): string {
  const { scenario, settled, awards } = page;
  const locale = createPageLocale(scenario.language, scenario.timezone, { ...scenario, currency: settled.currency });
  return renderDocument({
    title: locale.t("settlement_page.title", { scenario: scenario.name }),
    locale,
    header: headerOf(page, locale, locale.t("settlement_page.brand")),
    sections: settlementSections(settled, awards, locale),
    footer: footerOf(page, locale),
  });
}
