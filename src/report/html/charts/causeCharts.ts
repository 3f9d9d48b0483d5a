import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { formatKw, formatKwh, formatPct } from "../page/format.ts";
import { CAUSE_TEXT } from "../sections/causeText.ts";
import type { CauseTotal } from "../sections/causeTotals.ts";
import { barChart } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";

/** How much energy each cause took. */
export function shortfallByCauseChart(totals: readonly CauseTotal[]): ChartSpec | null {
  const sumKwh = totals.reduce((sum, { shortfallKwh }) => sum + shortfallKwh, 0);
  return barChart(
    totals.map(({ cause, shortfallKwh }) => ({
      label: CAUSE_TEXT[cause].label,
      value: shortfallKwh,
      valueText: `${formatKwh(shortfallKwh)} (${formatPct((100 * shortfallKwh) / sumKwh)})`,
    })),
    {
      id: "shortfall-bars",
      title: "Shortfall by cause",
      unit: "kWh",
      colour: "s2",
      caption:
        "Energy in kWh that was asked for and not delivered, by the cause that it is put down to; the causes add up to the shortfall.",
    },
  );
}

/** How much power each cause left uncovered when an award started. */
export function uncoveredByCauseChart(totals: readonly CauseTotal[]): ChartSpec | null {
  const largestFirst = [...totals].sort(
    (a, b) => b.uncoveredMaxKw - a.uncoveredMaxKw || CAUSES.indexOf(a.cause) - CAUSES.indexOf(b.cause),
  );
  return barChart(
    largestFirst.map(({ cause, uncoveredMaxKw: uncoveredKwMax }) => ({
      label: CAUSE_TEXT[cause].label,
      value: uncoveredKwMax,
      valueText: formatKw(uncoveredKwMax),
    })),
    {
      id: "uncovered-bars",
      title: "Uncovered power by cause",
      unit: "kW",
      colour: "s4",
      caption:
        "The most power in kW that a cause kept from being shared out when a single award started; widths of frequency response count too.",
    },
  );
}
