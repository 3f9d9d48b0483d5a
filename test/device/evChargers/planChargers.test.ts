import { describe, expect, test } from "vitest";
import { unservedKwh } from "../../../src/engine/device/evChargers/evChargersSpec.ts";
import { chargers, HOUR, type InputFrom, MINUTE, run, START, type Stay, segmentsOf, tidy } from "./chargers.ts";
import { unreachableKwh } from "./unreachableKwh.ts";

const at = (hours: number, changes: Omit<InputFrom, "fromMs">): InputFrom => ({
  fromMs: START + hours * HOUR,
  ...changes,
});
const setpoint = (setpointKw: number, changes: Omit<InputFrom, "fromMs"> = {}) => [at(0, { setpointKw, ...changes })];

/** One-way, 10 kW: 20 kWh below the wanted energy. */
const LACKS_20: Omit<Stay, "to"> = { energyWantedKwh: 20 };
/** The example of the page: 10 kW both ways, 40 of 50 kWh. */
const TWO_WAY: Omit<Stay, "to"> = { capacityKwh: 50, energyOnArrivalKwh: 40, energyWantedKwh: 40, twoWay: true };
const LOSSES = { chargeEfficiency: 0.9, dischargeEfficiency: 0.9, socMinPct: 20 };

describe("without a set-point", () => {
  test("a car charges at full power from its arrival until it has the wanted energy", () =>
    expect(segmentsOf(chargers([{ from: 1, to: 6, ...LACKS_20 }]), [], 7)).toEqual([
      "0: 0 none",
      "1: 10 none",
      "3: 0 none",
    ]));

  test("the connector limits the car, and losses make it longer", () => {
    const spec = chargers([{ to: 6, ...LACKS_20, maxKw: 100 }], { chargeEfficiency: 0.8 });
    expect(segmentsOf(spec, [], 7)).toEqual(["0: 50 none", "0.5: 0 none"]);
  });

  test("a stay that is too short ends below the wanted energy", () => {
    const spec = chargers([{ to: 1.5, ...LACKS_20 }]);
    expect(segmentsOf(spec, [], 3)).toEqual(["0: 10 none", "1.5: 0 none"]);
    const [{ session, storedKwh }] = run(spec, [], START + 3 * HOUR).departed;
    expect(unservedKwh(session, storedKwh)).toBeCloseTo(5, 9);
    expect(unreachableKwh(spec, session)).toBeCloseTo(5, 9);
  });

  test("spread charges with one power over the whole stay", () => {
    const spec = chargers([{ to: 8, ...LACKS_20 }], { plan: "spread" });
    expect(segmentsOf(spec, [], 9)).toEqual(["0: 2.5 none", "8: 0 none"]);
    expect(tidy(run(spec, [], START + 9 * HOUR).departed[0].storedKwh)).toBe("20");
  });

  test("spread catches up at full power what a set-point has taken", () => {
    // 5 kWh of 20 are missing after the first 2 h: 20 = 2.5·t + 10·(8 − 2 − t) → t = 40/7.5 h after 2 h.
    const spec = chargers([{ to: 8, ...LACKS_20 }], { plan: "spread" });
    expect(segmentsOf(spec, [...setpoint(0), at(2, { setpointKw: null })], 9)).toEqual([
      "0: 0 none",
      "2: 2.5 none",
      "7.333333: 10 none",
      "8: 0 none",
    ]);
  });

  test("the import limit is shared by least laxity", () => {
    // Latest starts 2 h and 3 h: the page's example, with a limit instead of a set-point.
    const spec = chargers([
      { to: 4, ...LACKS_20 },
      { to: 5, ...LACKS_20, connector: 1 },
    ]);
    expect(segmentsOf(spec, [at(0, { importLimitKw: 10 })], 5)).toEqual([
      "0: 10 0 connectionPoint",
      "1: 5 5 connectionPoint",
      "3: 0 10 none",
      "4: 0 0 none",
    ]);
  });

  test("cars at the start of a run have followed the plan since their arrival", () => {
    const spec = chargers([{ from: -1, to: 6, ...LACKS_20 }]);
    expect(segmentsOf(spec, [], 7)).toEqual(["0: 10 none", "1: 0 none"]);
    const spread = chargers([{ from: -2, to: 8, ...LACKS_20 }], { plan: "spread" });
    expect(tidy(run(spread, [], START + HOUR).state.storedSumKwh)).toBe("6");
  });

  test("an outage stops the power, not the cars", () => {
    const spec = chargers([
      { to: 1, ...LACKS_20 },
      { from: 1.5, to: 4, ...LACKS_20 },
    ]);
    const inputs = [at(0.5, { inService: false }), at(2, { inService: true })];
    expect(segmentsOf(spec, inputs, 5)).toEqual(["0: 10 none", "0.5: 0 none", "2: 10 none", "4: 0 none"]);
    expect(run(spec, inputs, START + 5 * HOUR).departed.map(({ storedKwh }) => tidy(storedKwh))).toEqual(["5", "20"]);
  });
});

describe("a set-point", () => {
  test("goes to the car with the least laxity, and is shared once laxities are equal", () => {
    const spec = chargers([
      { to: 4, ...LACKS_20 },
      { to: 5, ...LACKS_20, connector: 1 },
    ]);
    expect(segmentsOf(spec, setpoint(10), 6)).toEqual(["0: 10 0 none", "1: 5 5 none", "3: 0 10 none", "5: 0 0 noCar"]);
    expect(run(spec, setpoint(10), START + 6 * HOUR).departed.map(({ storedKwh }) => tidy(storedKwh))).toEqual([
      "20",
      "30",
    ]);
  });

  test("cars of equal laxity share in proportion to their powers", () => {
    // 20 kWh at 10 kW and 60 kWh at 30 kW: both must begin 2 h before they depart.
    const spec = chargers([
      { to: 6, ...LACKS_20 },
      { to: 6, energyWantedKwh: 60, maxKw: 30, connector: 1 },
    ]);
    expect(segmentsOf(spec, setpoint(20), 3)).toEqual(["0: 5 15 none"]);
  });

  test("above the needs charges the other cars up to their capacity, all with the same share", () => {
    const spec = chargers([
      { to: 9, energyWantedKwh: 0, capacityKwh: 30 },
      { to: 9, energyWantedKwh: 0, capacityKwh: 100, maxKw: 30, connector: 1 },
    ]);
    // 5 and 15 kW until the first is full after 6 h with 90 kWh in the second, which then takes 20 kW for half an hour.
    expect(segmentsOf(spec, setpoint(20), 9)).toEqual(["0: 5 15 none", "6: 0 20 none", "6.5: 0 0 storedEnergy"]);
  });

  test("of 0 lets cars wait until they must charge", () => {
    const spec = chargers([{ to: 4, ...LACKS_20 }]);
    expect(segmentsOf(spec, setpoint(0), 4)).toEqual(["0: 0 none", "2: 10 departure"]);
    expect(tidy(run(spec, setpoint(0), START + 4 * HOUR).departed[0].storedKwh)).toBe("20");
  });

  test("of 0 leaves cars empty where departures are not protected", () => {
    const spec = chargers([{ to: 4, ...LACKS_20 }], { departure: "best_effort" });
    expect(segmentsOf(spec, setpoint(0), 4)).toEqual(["0: 0 none"]);
    const [{ session, storedKwh }] = run(spec, setpoint(0), START + 4 * HOUR).departed;
    expect(unservedKwh(session, storedKwh)).toBe(20);
    expect(unreachableKwh(spec, session)).toBe(0);
  });

  test("discharges a two-way car until it has no laxity", () => {
    const spec = chargers([{ to: 4, ...TWO_WAY }], LOSSES);
    expect(segmentsOf(spec, setpoint(-10), 4)).toEqual(["0: -10 none", "1.790055: 10 departure"]);
    const { departed } = run(spec, setpoint(-10), START + 4 * HOUR);
    expect(departed[0].storedKwh).toBeCloseTo(40, 6);
  });

  test("discharges it to its minimum where departures are not protected", () => {
    const spec = chargers([{ to: 4, ...TWO_WAY }], { ...LOSSES, departure: "best_effort" });
    expect(segmentsOf(spec, setpoint(-10), 4)).toEqual(["0: -10 none", "2.7: 0 storedEnergy"]);
    const [{ session, storedKwh }] = run(spec, setpoint(-10), START + 4 * HOUR).departed;
    expect(unservedKwh(session, storedKwh)).toBeCloseTo(30, 9);
  });

  test("takes power first from the car with the most laxity, then from all of equal laxity", () => {
    // Both have what they want: laxities 6 h and 8 h. At 10 kW the second loses 1 h of it per hour.
    const spec = chargers([
      { to: 6, ...TWO_WAY },
      { to: 8, ...TWO_WAY, connector: 1 },
    ]);
    expect(segmentsOf(spec, setpoint(-10), 3)).toEqual(["0: 0 -10 none", "2: -5 -5 none"]);
  });

  test("is met by two-way cars while another must charge", () => {
    const spec = chargers([
      { to: 2, ...LACKS_20 },
      { to: 20, ...TWO_WAY, connector: 1 },
    ]);
    expect(segmentsOf(spec, setpoint(4), 2)).toEqual(["0: 10 -6 none"]);
  });

  test("does not discharge a car that arrived below its minimum", () => {
    const spec = chargers([{ to: 20, ...TWO_WAY, energyOnArrivalKwh: 3, energyWantedKwh: 3 }]);
    expect(segmentsOf(spec, setpoint(-10), 2)).toEqual(["0: 0 storedEnergy"]);
  });

  test("never charges beyond the import limit, even where departures then are not met", () => {
    const spec = chargers([
      { to: 2, ...LACKS_20 },
      { to: 2, ...LACKS_20, connector: 1 },
    ]);
    expect(segmentsOf(spec, setpoint(0, { importLimitKw: 15 }), 2)).toEqual(["0: 7.5 7.5 departure"]);
  });

  test("is clipped to the connection point", () => {
    const spec = chargers([{ to: 20, ...TWO_WAY }]);
    const inputs = [
      ...setpoint(-10, { exportLimitKw: 4 }),
      at(0.5, { setpointKw: 10, importLimitKw: 3 }),
      at(1, { setpointKw: 12 }),
    ];
    expect(segmentsOf(spec, inputs, 1.5)).toEqual([
      "0: -4 connectionPoint",
      "0.5: 3 connectionPoint",
      "1: 10 carPower",
    ]);
  });

  test("reaches no car where none is connected", () =>
    expect(segmentsOf(chargers([{ from: 1, to: 2, energyWantedKwh: 0 }]), setpoint(5), 3)).toEqual([
      "0: 0 noCar",
      "1: 5 none",
      "2: 0 noCar",
    ]));

  test("is left to the next car at the instant at which one replaces another", () => {
    const spec = chargers([
      { to: 1, ...LACKS_20 },
      { from: 1, to: 2, ...LACKS_20, maxKw: 4 },
    ]);
    expect(segmentsOf(spec, setpoint(6), 2)).toEqual(["0: 10 departure", "1: 4 carPower"]);
  });
});

describe("a plan", () => {
  test("ends at a whole millisecond also where many cars change their power before", () => {
    // Car k needs (k + 1)/7 kWh: 40 cars are done one after the other.
    const stays = Array.from({ length: 40 }, (_, k) => ({ connector: k, to: 9, energyWantedKwh: (k + 1) / 7 }));
    const endsMs: number[] = [];
    const spec = chargers(stays);
    const { departed } = run(spec, [], START + 9 * HOUR, (trajectory) => {
      endsMs.push(trajectory.endMs);
      expect(trajectory.segmentCount).toBeLessThanOrEqual(18);
    });
    expect(endsMs.every(Number.isInteger)).toBe(true);
    expect(endsMs.length).toBe(3);
    for (const { session, storedKwh } of departed) expect(storedKwh).toBeCloseTo(session.energyWantedKwh, 9);
  });

  test("of an empty site without sessions to come never ends", () => {
    const { state } = run(chargers([]), setpoint(5), START + MINUTE, (trajectory) =>
      expect(trajectory.endMs).toBe(Number.POSITIVE_INFINITY),
    );
    expect(state.connectedCount).toBe(0);
  });
});
