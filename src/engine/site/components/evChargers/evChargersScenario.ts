import type { ChargingSession, Connector } from "../../../device/evChargers/evChargersSpec.ts";
import {
  type Draws,
  generateSessions,
  HOME,
  type Normal,
  type SessionPattern,
  WORKPLACE,
} from "../../../device/evChargers/generateSessions.ts";
import { readSessions, type SessionRow, type SessionViolation } from "../../../device/evChargers/readSessions.ts";
import { type ComponentBuildPort, type ComponentScenarioFacet, HOUSEHOLD_MIN_KW } from "../scenarioFacet.ts";
import {
  type EvChargersKeys,
  evChargers,
  type GeneratorKeys,
  type SessionRowKeys,
  sessionRow,
} from "./evChargersKeys.ts";
import type { EvChargersModel } from "./evChargersModel.ts";

export const evChargersScenario: ComponentScenarioFacet<EvChargersKeys, EvChargersModel> = {
  schemas: [evChargers],
  matches: (keys) => keys.component_type === "ev_chargers",
  build: buildEvChargers,
  resourceType: ({ connectors }) => (isAnyTwoWay(connectors) ? "battery" : "consumer"),
  impliedSeries: () => [],
  loadKeys: () => null,
  ratingKeys: ({ connectors }) => ({
    key: "connectors",
    ratedKw: Math.max(0, ...[connectors ?? []].flat().map(({ max_kw }) => max_kw)),
    usualMinKw: HOUSEHOLD_MIN_KW,
  }),
  pvPlantKeys: () => null,
  allowsPerfectBaseline: true,
  defaultBaseline: "perfect",
  standsAlone: true,
};

/** Draws the sessions of a generator; those of a file stay. */
export function drawSessions(spec: EvChargersModel, drawsOf: (owner: string) => Draws): EvChargersModel {
  const { generator, connectors } = spec;
  if (generator === null) return spec;
  const sessions = generateSessions(generator.pattern, connectors.length, generator.days, (connector) =>
    drawsOf(connectors[connector].connectorId),
  );
  return { ...spec, sessions };
}

const isAnyTwoWay = (connectors: EvChargersKeys["connectors"] | undefined): boolean =>
  [connectors ?? []].flat().some(({ discharge_max_kw }) => 0 < discharge_max_kw);

function buildEvChargers(port: ComponentBuildPort, keys: EvChargersKeys): EvChargersModel | null {
  if (keys.fcr_capable)
    port.checker.reportError(keys, "fcr_capable", "true", "false: EV chargers do not respond to the frequency");
  const { model } = keys;
  const connectors = connectorsOf(port, keys);
  if (connectors === null || model?.sessions === undefined) return null;
  const { sessions } = model;
  const isFromFile = "file" in sessions;
  return {
    kind: "ev_chargers",
    componentId: keys.component_id,
    fcrCapable: false,
    connectors,
    chargeEfficiency: keys.charge_efficiency,
    dischargeEfficiency: keys.discharge_efficiency,
    plan: model.plan,
    departure: model.departure,
    socMinPct: keys.soc_min,
    sessions: isFromFile ? readSessionFile(port, sessions, connectors) : [],
    generator: isFromFile ? null : { pattern: patternOf(sessions), days: port.localDays(sessions.holidays) },
    startMs: port.startMs,
    endMs: port.endMs,
  };
}

/** `null` where the keys are wrong. */
function connectorsOf({ checker }: ComponentBuildPort, { connectors }: EvChargersKeys): Connector[] | null {
  if (connectors === undefined) return null;
  const powersOf = ({ max_kw, discharge_max_kw }: { max_kw: number; discharge_max_kw: number }) => ({
    chargeMaxKw: max_kw,
    dischargeMaxKw: discharge_max_kw,
  });
  if (!Array.isArray(connectors)) {
    const { count, max_kw } = connectors;
    if (count === undefined || max_kw === undefined) return null;
    return Array.from({ length: count }, (_, k) => ({ connectorId: String(k + 1), ...powersOf(connectors) }));
  }
  const ids = new Set<string>();
  for (const connector of connectors) {
    const { connector_id: id } = connector;
    if (id !== undefined && ids.has(id))
      checker.reportError(connector, "connector_id", `${JSON.stringify(id)} again`, "each connector_id once");
    ids.add(id);
  }
  const isWhole = connectors.every(({ connector_id, max_kw }) => connector_id !== undefined && max_kw !== undefined);
  return isWhole ? connectors.map((keys) => ({ connectorId: keys.connector_id, ...powersOf(keys) })) : null;
}

/** Reports everything that is wrong in the file. */
function readSessionFile(
  port: ComponentBuildPort,
  entry: { readonly file: string },
  connectors: readonly Connector[],
): readonly ChargingSession[] {
  // A cell that cannot be read has been reported, and is missing.
  const keys = port.readTable<SessionRowKeys>(entry, sessionRow).filter((row) => ROW_KEYS.every((key) => key in row));
  const read = readSessions(keys.map(rowOf), connectors);
  if (read.ok) return read.sessions;
  for (const { row, field, found, allowed } of read.violations)
    port.checker.reportError(keys[row], KEY_OF_FIELD[field], found, allowed);
  return [];
}

const rowOf = (keys: SessionRowKeys): SessionRow => ({
  connector: keys.connector,
  arrivalMs: keys.arrival,
  departureMs: keys.departure,
  energyOnArrivalKwh: keys.energy_on_arrival_kwh,
  energyWantedKwh: keys.energy_wanted_kwh,
  capacityKwh: keys.capacity_kwh,
  maxKw: keys.max_kw,
  twoWay: keys.two_way,
});

const KEY_OF_FIELD = {
  connector: "connector",
  arrivalMs: "arrival",
  departureMs: "departure",
  energyOnArrivalKwh: "energy_on_arrival_kwh",
  energyWantedKwh: "energy_wanted_kwh",
  capacityKwh: "capacity_kwh",
  maxKw: "max_kw",
  twoWay: "two_way",
} as const satisfies Record<SessionViolation["field"], keyof SessionRowKeys>;

const ROW_KEYS = Object.values(KEY_OF_FIELD);

function patternOf(keys: GeneratorKeys): SessionPattern {
  const kind = keys.generator === "workplace" ? WORKPLACE : HOME;
  const normal = (mean: number | undefined, deviation: number | undefined, byKind: Normal): Normal => ({
    mean: mean ?? byKind.mean,
    deviation: deviation ?? byKind.deviation,
  });
  return {
    workdayProbability: keys.workday_probability ?? kind.workdayProbability,
    otherDayProbability: keys.other_day_probability ?? kind.otherDayProbability,
    arrivalHour: normal(keys.arrival_hour, keys.arrival_deviation_h, kind.arrivalHour),
    departureHour: normal(keys.departure_hour, keys.departure_deviation_h, kind.departureHour),
    energyUsedKwh: normal(keys.energy_used_kwh, keys.energy_used_deviation_kwh, kind.energyUsedKwh),
    capacityKwh: keys.capacity_kwh ?? kind.capacityKwh,
    socWantedPct: keys.soc_wanted ?? kind.socWantedPct,
    socOnArrivalMinPct: keys.soc_on_arrival_min ?? kind.socOnArrivalMinPct,
    maxKw: keys.max_kw ?? kind.maxKw,
    twoWayShare: keys.two_way_share ?? kind.twoWayShare,
  };
}
