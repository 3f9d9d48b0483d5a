import type { ComponentTable, ComponentTableRow } from "../tableFacet.ts";
import { remainingKwh } from "./batteryAgeing.ts";
import type { BatteryComponent } from "./batteryComponent.ts";

/** One row for each update of the capacity of an ageing battery. @see docs/model/battery.md#ageing */
export const batteryAgeingTable: ComponentTable<BatteryComponent> = {
  stem: "battery_ageing",
  title: "Battery ageing",
  intro:
    "Capacity of the batteries with ageing at each local midnight and at the end of the run, by the model of the cells that the scenario names. Cycles, mean state of charge and depth are of the day before.",
  columns: [
    { name: "component", kind: "text" },
    { name: "at", kind: "instant" },
    { name: "equivalent_full_cycles", kind: "thousandths" },
    { name: "soc_mean_pct", kind: "thousandths" },
    { name: "depth_pct", kind: "thousandths" },
    { name: "calendar_loss_pct", kind: "thousandths" },
    { name: "cycle_loss_pct", kind: "thousandths" },
    { name: "state_of_health_pct", kind: "thousandths" },
    { name: "capacity_kwh", kind: "thousandths" },
    { name: "lost_kwh", kind: "thousandths" },
  ],
  appliesTo: ({ ageing }) => ageing !== null,
  rows: (battery) => {
    const { ratedSpec, trajectory } = battery;
    return (battery.ageing?.recordsUntilEnd(trajectory) ?? []).map(
      ({ atMs, losses, equivalentFullCycles, meanSocFraction, depth }) => {
        const capacityKwh = remainingKwh(ratedSpec, losses);
        return [
          ratedSpec.componentId,
          atMs,
          equivalentFullCycles,
          100 * meanSocFraction,
          100 * depth,
          100 * losses.calendar,
          100 * losses.cycle,
          (100 * capacityKwh) / ratedSpec.ratedCapKwh,
          capacityKwh,
          ratedSpec.ratedCapKwh - capacityKwh,
        ];
      },
    );
  },
  kpis: [
    { name: "state_of_health_min_pct", of: leastHealthPct },
    { name: "lost_capacity_kwh", of: lostKwh },
  ],
  total: (rows) =>
    `At the end of the run the batteries with ageing have lost ${lostKwh(rows).toFixed(1)} kWh of their rated capacity; the lowest state of health is ${leastHealthPct(rows).toFixed(2)} %.`,
};

const AT = 1;
const HEALTH = 7;
const LOST = 9;

function leastHealthPct(rows: readonly ComponentTableRow[]): number {
  return rows.reduce((least, row) => Math.min(least, Number(row[HEALTH])), 100);
}

/** All batteries have a row at the end of the run. */
function lostKwh(rows: readonly ComponentTableRow[]): number {
  const endMs = rows.reduce((last, row) => Math.max(last, Number(row[AT])), Number.NEGATIVE_INFINITY);
  return rows.reduce((sum, row) => (row[AT] === endMs ? sum + Number(row[LOST]) : sum), 0);
}
