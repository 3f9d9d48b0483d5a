import { isoUtc } from "../../../base/time.ts";
import type { ChargingSession, Connector } from "./evChargersSpec.ts";

/** One row of a table of sessions; the connector by its id. */
export interface SessionRow extends Omit<ChargingSession, "connector"> {
  readonly connector: string;
}

/** One thing that is wrong with a row. */
export interface SessionViolation {
  /** Position in the list of rows, from 0. */
  readonly row: number;
  readonly field: keyof SessionRow;
  readonly found: string;
  readonly allowed: string;
}

type SessionsRead =
  | { readonly ok: true; readonly sessions: readonly ChargingSession[] }
  | { readonly ok: false; readonly violations: readonly SessionViolation[] };

/** Checks rows and puts them into the order that a spec needs. All violations are listed, in order of the rows. */
export function readSessions(rows: readonly SessionRow[], connectors: readonly Connector[]): SessionsRead {
  const ids = connectors.map(({ connectorId }) => connectorId);
  const ofRows = rows.flatMap((row, k) => violationsOf(row, k, ids));
  const violations = [...ofRows, ...overlaps(rows, new Set(ofRows.map(({ row }) => row)))];
  if (violations.length > 0) return { ok: false, violations: violations.sort((a, b) => a.row - b.row) };
  const sessions = rows.map((row) => ({ ...row, connector: ids.indexOf(row.connector) }));
  return { ok: true, sessions: sortSessions(sessions) };
}

/** By arrival, then connector: unique, since no two sessions overlap at one connector. */
export const sortSessions = (sessions: readonly ChargingSession[]): ChargingSession[] =>
  [...sessions].sort((a, b) => a.arrivalMs - b.arrivalMs || a.connector - b.connector);

function violationsOf(row: SessionRow, k: number, ids: readonly string[]): SessionViolation[] {
  const { arrivalMs, departureMs, energyOnArrivalKwh, energyWantedKwh, capacityKwh, maxKw } = row;
  const violations: SessionViolation[] = [];
  const require = (holds: boolean, field: keyof SessionRow, found: string, allowed: string) => {
    if (!holds) violations.push({ row: k, field, found, allowed });
  };
  require(ids.includes(row.connector), "connector", JSON.stringify(row.connector), `one of ${ids.join(", ")}`);
  require(Number.isSafeInteger(arrivalMs), "arrivalMs", String(arrivalMs), "an instant in whole milliseconds");
  require(Number.isSafeInteger(departureMs), "departureMs", String(departureMs), "an instant in whole milliseconds");
  if (violations.length === 0) {
    require(arrivalMs < departureMs, "departureMs", isoUtc(
      departureMs,
    ), `an instant after the arrival ${isoUtc(arrivalMs)}`);
  }
  const energyRange = `0 to the capacity of ${capacityKwh} kWh`;
  require(isPositive(capacityKwh), "capacityKwh", `${capacityKwh} kWh`, "above 0 kWh");
  require(isPositive(maxKw), "maxKw", `${maxKw} kW`, "above 0 kW");
  require(isWithin(energyOnArrivalKwh, capacityKwh), "energyOnArrivalKwh", `${energyOnArrivalKwh} kWh`, energyRange);
  require(isWithin(energyWantedKwh, capacityKwh), "energyWantedKwh", `${energyWantedKwh} kWh`, energyRange);
  return violations;
}

const isPositive = (value: number): boolean => 0 < value && value < Number.POSITIVE_INFINITY;
const isWithin = (kwh: number, capacityKwh: number): boolean => 0 <= kwh && !(capacityKwh < kwh);

/** Each session that begins before an earlier one at its connector has ended. Rows that are wrong in themselves are left out. */
function overlaps(rows: readonly SessionRow[], isWrong: ReadonlySet<number>): SessionViolation[] {
  const order = rows.map((_, k) => k).filter((k) => !isWrong.has(k));
  order.sort((a, b) => rows[a].arrivalMs - rows[b].arrivalMs || a - b);
  const latestOf = new Map<string, number>();
  const violations: SessionViolation[] = [];
  for (const k of order) {
    const { connector, arrivalMs, departureMs } = rows[k];
    const latest = latestOf.get(connector);
    if (latest !== undefined && arrivalMs < rows[latest].departureMs) {
      const allowed = `at or after ${isoUtc(rows[latest].departureMs)}, when the session of row ${latest + 1} at connector ${connector} ends`;
      violations.push({ row: k, field: "arrivalMs", found: isoUtc(arrivalMs), allowed });
    }
    if (latest === undefined || rows[latest].departureMs < departureMs) latestOf.set(connector, k);
  }
  return violations;
}
