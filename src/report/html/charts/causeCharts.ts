import { formatKw, formatKwh, formatPct } from "../page/format.ts";
import { causeColour } from "../page/palette.ts";
import { CAUSE_TEXT } from "../sections/causeText.ts";
import type { CauseTotal } from "../sections/causeTotals.ts";
import { barChart } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";

export function shortfallByCauseChart(totals: readonly CauseTotal[]): ChartSpec | null {
  const sumKwh = totals.reduce((sum, { shortfallKwh }) => sum + shortfallKwh, 0);
  return barChart(
    totals.map(({ cause, shortfallKwh }) => ({
      label: CAUSE_TEXT[cause].label,
      colour: causeColour(cause),
      value: shortfallKwh,
      valueText: `${formatKwh(shortfallKwh)} (${formatPct((100 * shortfallKwh) / sumKwh)})`,
    })),
    {
      id: "shortfall-bars",
      title: "Shortfall by cause",
      unit: "kWh",
      colour: "s2",
      caption: "Requested energy in kWh that was not delivered, by cause. The causes add up to the shortfall.",
    },
  );
}

/** Largest uncovered power of each cause. */
export function uncoveredByCauseChart(totals: readonly CauseTotal[]): ChartSpec | null {
  return barChart(
    totals.map(({ cause, uncoveredMaxKw }) => ({
      label: CAUSE_TEXT[cause].label,
      colour: causeColour(cause),
      value: uncoveredMaxKw,
      valueText: formatKw(uncoveredMaxKw),
    })),
    {
      id: "uncovered-bars",
      title: "Largest uncovered power by cause",
      unit: "kW",
      colour: "s4",
      caption:
        "Largest power in kW that a cause left unallocated at the start of a single award, FCR capacity included.",
    },
  );
}
