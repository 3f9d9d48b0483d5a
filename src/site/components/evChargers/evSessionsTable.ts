import { sumOf } from "../../../base/sums.ts";
import { unservedKwh } from "../../../device/evChargers/evChargersSpec.ts";
import type { ComponentTable, ComponentTableRow } from "../tableFacet.ts";
import type { EvChargersComponent } from "./evChargersComponent.ts";

/** One row for each session that ended in the run. @see docs/model/ev-chargers.md#unserved */
export const evSessionsTable: ComponentTable<EvChargersComponent> = {
  stem: "ev_sessions",
  title: "EV charging",
  intro:
    "Sessions that ended in the run. Unserved energy is the part of the wanted energy that a car did not have when it departed; it is no shortfall of an award.",
  columns: [
    { name: "connector", kind: "text" },
    { name: "arrival", kind: "instant" },
    { name: "departure", kind: "instant" },
    { name: "energy_on_arrival_kwh", kind: "thousandths" },
    { name: "energy_wanted_kwh", kind: "thousandths" },
    { name: "energy_at_departure_kwh", kind: "thousandths" },
    { name: "unserved_kwh", kind: "thousandths" },
  ],
  rows: ({ spec, departedSessions, departedKwh }) =>
    departedSessions.map((index, k) => {
      const session = spec.sessions[index];
      return [
        spec.connectors[session.connector].connectorId,
        session.arrivalMs,
        session.departureMs,
        session.energyOnArrivalKwh,
        session.energyWantedKwh,
        departedKwh[k],
        unservedKwh(session, departedKwh[k]),
      ];
    }),
  kpis: [
    { name: "unserved_departures", of: unservedDepartures },
    { name: "unserved_kwh", of: unservedSumKwh },
  ],
  total: (rows) =>
    `${unservedDepartures(rows)} of ${rows.length} cars departed below the wanted energy; ${unservedSumKwh(rows).toFixed(1)} kWh were not served.`,
};

const UNSERVED = 6;

function unservedDepartures(rows: readonly ComponentTableRow[]): number {
  return rows.filter((row) => Number(row[UNSERVED]) > 0).length;
}

function unservedSumKwh(rows: readonly ComponentTableRow[]): number {
  return sumOf(rows, (row) => Number(row[UNSERVED]));
}
