import { CAUSES } from "../../record/causes.ts";
import { CAUSE_TEXT } from "./causeText.ts";
import type { CauseTotal } from "./causeTotals.ts";
import { axisLook, lyingPlotArea, type Picture, valueAxis } from "./chart.ts";
import { formatKw, formatKwh, formatPct } from "./format.ts";
import { type ColourName, ink } from "./palette.ts";

/** How much energy each cause took. */
export function shortfallBars(totals: readonly CauseTotal[]): Picture | null {
  const sumKwh = totals.reduce((sum, { shortfallKwh }) => sum + shortfallKwh, 0);
  return barPicture(
    totals.map(({ cause, shortfallKwh }) => ({
      label: CAUSE_TEXT[cause].label,
      value: shortfallKwh,
      words: `${formatKwh(shortfallKwh)} (${formatPct((100 * shortfallKwh) / sumKwh)})`,
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
export function uncoveredBars(totals: readonly CauseTotal[]): Picture | null {
  const largestFirst = [...totals].sort(
    (a, b) => b.uncoveredKwMax - a.uncoveredKwMax || CAUSES.indexOf(a.cause) - CAUSES.indexOf(b.cause),
  );
  return barPicture(
    largestFirst.map(({ cause, uncoveredKwMax }) => ({
      label: CAUSE_TEXT[cause].label,
      value: uncoveredKwMax,
      words: formatKw(uncoveredKwMax),
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

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly words: string;
}

interface Frame {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly colour: ColourName;
  readonly caption: string;
}

/** Lying bars with their values; bars too short for three decimals are left out. */
function barPicture(all: readonly Bar[], { id, title, unit, colour, caption }: Frame): Picture | null {
  const bars = all.filter(({ value }) => 0.0005 <= value);
  if (bars.length === 0) return null;
  return {
    id,
    title,
    caption,
    alt: `${title}: ${bars.map(({ label, words }) => `${label} ${words}`).join(", ")}.`,
    legend: [],
    height: 44 + 34 * bars.length,
    option: (size) => ({
      grid: { ...lyingPlotArea, right: size.narrow ? 112 : 150 },
      xAxis: { ...valueAxis(unit), splitNumber: size.narrow ? 2 : 5 },
      yAxis: {
        ...axisLook,
        type: "category",
        inverse: true,
        axisTick: { show: false },
        data: bars.map(({ label }) => label),
      },
      series: [
        {
          type: "bar",
          silent: true,
          barWidth: 18,
          itemStyle: { color: ink(colour), borderRadius: [0, 3, 3, 0] },
          label: {
            show: true,
            position: "right",
            color: ink("ink"),
            fontSize: 12,
            formatter: ({ dataIndex }) => bars[dataIndex].words,
          },
          data: bars.map(({ value }) => value),
        },
      ],
    }),
  };
}
