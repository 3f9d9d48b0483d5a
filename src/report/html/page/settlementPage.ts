// The settlement of one run as an HTML file beside its report.

import { settlementSections } from "../sections/settlementSection.ts";
import { renderDocument } from "./document.ts";
import { createLocalClock } from "./localClock.ts";
import { footerOf, headerOf, type ReportPage } from "./reportPage.ts";

/** A self-contained page, but for links to report.html; `null` for a run that is not settled. */
export function renderSettlementHtml(page: ReportPage): string | null {
  const { scenario, record, settled } = page;
  if (settled === null) return null;
  const clock = createLocalClock(scenario.timezone, record);
  return renderDocument({
    title: `${scenario.name} – vppsim settlement`,
    header: headerOf(page, clock, "vppsim settlement"),
    sections: settlementSections(settled, record.awards, clock),
    footer: footerOf(page),
  });
}
