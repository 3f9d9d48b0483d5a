interface KpiText {
  readonly label: string;
  readonly unit: string;
  readonly decimals: number;
  readonly meaning: string;
}

/** Key figures in words, by their names in summary.json. @see docs/model/accounting.md#kpis */
const KPI_TEXT: ReadonlyMap<string, KpiText> = new Map([
  [
    "requested_kwh",
    kwh("Asked", "Energy asked of the power plants: kW times executed hours, either direction counted positive."),
  ],
  ["delivered_kwh", kwh("Delivered", "Energy delivered in the direction asked for.")],
  ["shortfall_kwh", kwh("Short", "Energy asked for and not delivered.")],
  ["excess_kwh", kwh("Excess", "Energy delivered beyond what was asked for.")],
  ["delivery_pct", pct("Delivery", "Share of the energy asked for that was delivered.")],
  [
    "uncovered_kw_max",
    kw("Largest gap at a start", "The most power that the members could not cover when an award started."),
  ],
  [
    "fcr_uncovered_kw_max",
    kw("Largest gap, frequency", "The most frequency response width left uncovered at a start."),
  ],
  ["uncovered_kwh", kwh("Not shared out", "Energy that was asked for and given to no member.")],
  ["compliance_pct", pct("Compliance", "Share of assessed time within ±10 % of the request.")],
  ["awards_total", count("Awards", "Awards and instructions that met the run.")],
  ["awards_fully_covered", count("Fully covered", "Awards whose whole power was shared out when they started.")],
  ["awards_refused", count("Refused", "Awards that the rules refused.")],
  [
    "availability_pct",
    // One decimal would make 100 % of a week with an hour's outage.
    {
      ...pct("Availability", "Mean time in service of the member sites; planned maintenance is counted out."),
      decimals: 2,
    },
  ],
  ["planned_outage_pct", pct("Planned maintenance", "Mean share of time under planned maintenance.")],
  ["import_kwh", kwh("Import", "Energy that the sites took from the grid.")],
  ["export_kwh", kwh("Export", "Energy that the sites sent to the grid.")],
  ["curtailed_kwh", kwh("Curtailed", "Energy that plants could have made and had to hold back.")],
  ["throughput_kwh", kwh("Battery throughput", "Energy into and out of the batteries at the AC side.")],
  [
    "equivalent_full_cycles",
    {
      label: "Full cycles",
      unit: "",
      decimals: 2,
      meaning: "Energy taken out of the battery cells, divided by their rated capacity.",
    },
  ],
  ["soc_min_pct", pct("Lowest state of charge", "The least that any battery held.")],
  ["revenue_jpy", jpy("Revenue", "Payment for power held ready and energy delivered.")],
  ["penalty_jpy", jpy("Penalty", "Charge for the shortfall.")],
  ["energy_cost_jpy", jpy("Energy cost", "Import less export at the market price of energy.")],
]);

/** Words for a key figure; one that is not known here is named as in the file, its unit read from the end of its name. */
export function kpiText(name: string): KpiText {
  const known = KPI_TEXT.get(name);
  if (known !== undefined) return known;
  const ending = [...UNIT_ENDINGS].find(([suffix]) => name.endsWith(suffix));
  const label = (ending === undefined ? name : name.slice(0, -ending[0].length)).replaceAll("_", " ");
  return { label: label.charAt(0).toUpperCase() + label.slice(1), unit: ending?.[1] ?? "", decimals: 1, meaning: "" };
}

const UNIT_ENDINGS: ReadonlyMap<string, string> = new Map([
  ["_kwh", "kWh"],
  ["_kw", "kW"],
  ["_kw_max", "kW"],
  ["_pct", "%"],
  ["_jpy", "JPY"],
]);

function kwh(label: string, meaning: string): KpiText {
  return { label, unit: "kWh", decimals: 1, meaning };
}
function kw(label: string, meaning: string): KpiText {
  return { label, unit: "kW", decimals: 1, meaning };
}
function pct(label: string, meaning: string): KpiText {
  return { label, unit: "%", decimals: 1, meaning };
}
function jpy(label: string, meaning: string): KpiText {
  return { label, unit: "JPY", decimals: 0, meaning };
}
function count(label: string, meaning: string): KpiText {
  return { label, unit: "", decimals: 0, meaning };
}
