// A consumer's response against small time steps, and the registers and credit of any site against its power.
import fc from "fast-check";
import { expect, test } from "vitest";
import { curveValue } from "../../src/engine/device/curve/curve.ts";
import { GridFrequency } from "../../src/engine/device/frequency/gridFrequency.ts";
import { ResponseWindowRegistry } from "../../src/engine/device/frequency/responseWindow.ts";
import { createStepper } from "../../src/engine/kernel/stepper.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import { newSegment } from "../../src/engine/site/components/segment.ts";
import type { OrderAmount, SiteOrder } from "../../src/engine/site/orders/siteOrder.ts";
import { Site } from "../../src/engine/site/site.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { siteStatusMachine } from "../../src/engine/site/siteStatusMachine.ts";
import { runs } from "../depth.ts";
import { frequencyResponseKw } from "../device/frequencyResponseKw.ts";
import { consumer, losslessBattery, pumped, site, T0, thermal } from "./smallWorld.ts";

const END = T0 + 1_200_000;
const capable = { fcrCapable: true } as const;

/** A site on its own from T0 on, with these orders from the beginning. */
function siteWith(spec: SiteSpec, frequencyHz: Series, amounts: readonly (OrderAmount & { sku: SiteOrder["sku"] })[]) {
  const responses = new ResponseWindowRegistry(new GridFrequency(frequencyHz, { seed: 1, startMs: T0 }));
  const period = { startMs: T0, endMs: END, seed: 1, streamsFromMs: T0 };
  const alone = new Site(0, spec, period, createStepper(siteStatusMachine, "table"), responses);
  const orders = amounts.map(({ sku }, registration): SiteOrder => {
    return { sku, startMs: T0, endMs: END, activation: 1, registration };
  });
  const baselineKw = alone.baselineSlotKwAt(T0);
  alone.advance(T0);
  orders.forEach((order, k) => expect(alone.applyOrder(order, amounts[k], baselineKw, T0)).toBe(null));
  replanAt(alone, T0);
  return { alone, orders, baselineKw };
}

function replanAt(alone: Site, atMs: number): void {
  alone.advance(atMs);
  alone.activatePending(atMs);
  alone.replan(atMs);
}

/** Advances the site along its trajectories in steps of 100 ms; calls `visit` at the middle of each. */
function visitPower(alone: Site, visit: (middleMs: number, kw: number, withoutKw: number) => void): void {
  const segment = newSegment();
  const valueAt = (atMs: number) =>
    curveValue(segment.kw, segment.kwPerMs, segment.kwPerMs2, segment.ratePerMs, atMs - segment.originMs);
  for (let atMs = T0; atMs < END; atMs += 100) {
    if (alone.nextReplanMs <= atMs) replanAt(alone, atMs);
    const middleMs = atMs + 50;
    alone.resource.segmentAt(middleMs, segment);
    const kw = valueAt(middleMs);
    alone.segmentWithoutFcrAt(middleMs, segment);
    visit(middleMs, kw, valueAt(middleMs));
  }
}

const seconds = (values: readonly number[], stepS: number, interpolation: "step" | "linear" = "step") =>
  new Series(
    "s",
    Float64Array.from(values, (_, k) => T0 + 1000 * stepS * k),
    Float64Array.from(values),
    interpolation,
    Math.max(END, T0 + 1000 * stepS * values.length),
  );
const hz = fc
  .tuple(
    fc.array(fc.oneof(fc.constantFrom(50, 51, 49), fc.double({ min: 48.5, max: 51.5, noNaN: true })), {
      minLength: 40,
      maxLength: 40,
    }),
    fc.constantFrom("step" as const, "linear" as const),
  )
  .map(([values, interpolation]) => seconds(values, 30, interpolation));
const loads = fc
  .tuple(
    fc.array(fc.constantFrom(0, 20, 60, 150, 280, 320), { minLength: 20, maxLength: 20 }),
    fc.constantFrom("step" as const, "linear" as const),
  )
  .map(([values, interpolation]) => seconds(values, 60, interpolation));

test("a load's response agrees with small steps", () => {
  const specs = fc.record({ rampKwPerS: fc.constantFrom(null, 3), contractKw: fc.constantFrom(300, 1000) });
  fc.assert(
    fc.property(specs, loads, hz, fc.constantFrom(20, 100), (given, load, frequencyHz, fcrKw) => {
      const spec = site("a", consumer(load, { maxDemandKw: 310, maxDrReductionKw: 1000, ...capable, ...given }));
      const { alone, orders } = siteWith(spec, frequencyHz, [{ sku: "fcr", deltaKw: 0, fcrCapacityKw: fcrKw }]);
      const rampKw = (given.rampKwPerS ?? Number.POSITIVE_INFINITY) * 0.1;
      let responseKw = 0;
      let [worstKw, worstKwh, kwh, exactKwh, up, down] = [0, 0, 0, 0, 0, 0];
      visitPower(alone, (middleMs, kw, withoutKw) => {
        const requestedKw = frequencyResponseKw(spec.fcr, given.contractKw, fcrKw, frequencyHz.valueAt(middleMs));
        responseKw += Math.max(-rampKw, Math.min(rampKw, requestedKw - responseKw));
        const loadKw = Math.min(310, load.valueAt(middleMs));
        const mostKw = Math.max(loadKw, given.contractKw);
        const wantedKw = Math.max(0, Math.min(mostKw, loadKw + responseKw));
        worstKw = Math.max(worstKw, Math.abs(withoutKw - loadKw));
        kwh += wantedKw / 36_000;
        exactKwh += kw / 36_000;
        const movedKwh = (wantedKw - loadKw) / 36_000;
        if (0 < movedKwh) up += movedKwh;
        else down -= movedKwh;
        worstKwh = Math.max(worstKwh, Math.abs(kwh - exactKwh));
      });
      expect(worstKw).toBeLessThan(1e-6);
      expect(worstKwh).toBeLessThan(0.05);
      const { upKwh, downKwh, atBoundMs } = alone.fcrRegisters(orders[0], END);
      expect(Math.abs(upKwh - up)).toBeLessThan(0.05);
      expect(Math.abs(downKwh - down)).toBeLessThan(0.05);
      expect(atBoundMs).toBe(0);
    }),
    { numRuns: runs(80, 20) },
  );
});

test("registers and credit of batteries and plants agree with the power", () => {
  const taper = [
    { socPct: 20, importFraction: 1, exportFraction: 0.2 },
    { socPct: 60, importFraction: 1, exportFraction: 1 },
    { socPct: 80, importFraction: 0.2, exportFraction: 1 },
  ];
  const small = { ratedCapKwh: 20, importMaxKw: 400, exportMaxKw: 250, ...capable };
  const specs = fc.constantFrom(
    site("a", losslessBattery(small)),
    site("a", losslessBattery({ ...small, rampKwPerS: 4, auxiliaryKw: 7 })),
    site("a", losslessBattery({ ...small, powerTaper: taper, selfDischargePctPerDay: 30 })),
    site("a", losslessBattery({ ...small, ratedCapKwh: 400 }), { baseline: { method: "constant", kw: -90 } }),
    site("a", thermal({ ratedOutputKw: 400, minOutputKw: 50, rampKwPerMin: 200, ...capable }), {
      baseline: { method: "constant", kw: -150 },
    }),
    site("a", pumped({ capacityKwh: 30, pumpMaxKw: 400 }, { ratedOutputKw: 300, ...capable }), {
      baseline: { method: "constant", kw: 100 },
    }),
  );
  const held = fc.constantFrom(
    [{ sku: "fcr" as const, deltaKw: 0, fcrCapacityKw: 120 }],
    [
      { sku: "frr" as const, deltaKw: -130, fcrCapacityKw: 0 },
      { sku: "fcr" as const, deltaKw: 0, fcrCapacityKw: 80 },
    ],
    [{ sku: "compound" as const, deltaKw: -130, fcrCapacityKw: 80 }],
    [
      { sku: "compound" as const, deltaKw: 90, fcrCapacityKw: 200 },
      { sku: "rr" as const, deltaKw: -60, fcrCapacityKw: 0 },
      { sku: "fcr" as const, deltaKw: 0, fcrCapacityKw: 30 },
    ],
  );
  fc.assert(
    fc.property(specs, held, hz, (spec, amounts, frequencyHz) => {
      const { alone, orders, baselineKw } = siteWith(spec, frequencyHz, amounts);
      const [component] = spec.components;
      const auxiliaryKw = component.kind === "battery" ? component.auxiliaryKw : 0;
      const ratedKw = 400;
      const sumOf = (of: (kw: number) => number) => amounts.reduce((sum, { deltaKw }) => sum + of(deltaKw), 0);
      const lowKw = baselineKw + sumOf((kw) => Math.min(0, kw));
      const highKw = baselineKw + sumOf((kw) => Math.max(0, kw));
      const sums = orders.map(() => ({ up: 0, down: 0, requested: 0 }));
      let [netKwh, withoutKwh, worstKw] = [0, 0, 0];
      visitPower(alone, (middleMs, kw, withoutKw) => {
        const siteKw = frequencyResponseKw(spec.fcr, ratedKw, 1e9, frequencyHz.valueAt(middleMs));
        const responsesKw = amounts.map(({ sku, deltaKw, fcrCapacityKw: fcrKw }) => {
          const responseKw = Math.max(-fcrKw, Math.min(fcrKw, siteKw));
          if (sku !== "compound") return responseKw;
          return Math.max(-Math.abs(deltaKw), Math.min(Math.abs(deltaKw), deltaKw + responseKw)) - deltaKw;
        });
        const requestedKw = responsesKw.reduce((sum, part) => sum + part, 0);
        // What lies between power and baseline but for deltas, neither beyond the request nor against it.
        const cellKw = kw - auxiliaryKw;
        const restKw = cellKw - Math.max(lowKw, Math.min(highKw, cellKw - requestedKw));
        const givenKw =
          requestedKw < 0 ? Math.max(requestedKw, Math.min(0, restKw)) : Math.min(requestedKw, Math.max(0, restKw));
        worstKw = Math.max(worstKw, Math.abs(withoutKw - (kw - givenKw)));
        netKwh += givenKw / 36_000;
        withoutKwh += (kw - withoutKw) / 36_000;
        responsesKw.forEach((part, k) => {
          const share = requestedKw === 0 ? 0 : part / requestedKw;
          if (0 < requestedKw) sums[k].up += (share * givenKw) / 36_000;
          else sums[k].down -= (share * givenKw) / 36_000;
          sums[k].requested += Math.abs(part) / 36_000;
        });
      });
      expect(worstKw).toBeLessThan(1e-3);
      expect(Math.abs(netKwh - withoutKwh)).toBeLessThan(1e-3);
      // A bound that is met within a step of 100 ms is half a step off: 250 kW make 0.004 kWh.
      const registers = orders.map((order) => alone.fcrRegisters(order, END));
      const totalOf = (of: (k: number) => number) => orders.reduce((sum, _, k) => sum + of(k), 0);
      expect(Math.abs(totalOf((k) => registers[k].upKwh - sums[k].up))).toBeLessThan(0.05);
      expect(Math.abs(totalOf((k) => registers[k].downKwh - sums[k].down))).toBeLessThan(0.05);
      // Where a response that moves straight is cut, orders share a piece of it as they share what it asks in all.
      const nearKwh = frequencyHz.interpolation === "step" ? 0.05 : 0.25;
      orders.forEach((_, k) => {
        expect(Math.abs(registers[k].upKwh - sums[k].up)).toBeLessThan(nearKwh);
        expect(Math.abs(registers[k].downKwh - sums[k].down)).toBeLessThan(nearKwh);
        expect(Math.abs(registers[k].requestedKwh - sums[k].requested)).toBeLessThan(0.05);
      });
    }),
    { numRuns: runs(100, 20) },
  );
});

test("registers do not depend on when they are read", () => {
  const frequencyHz = seconds(
    Array.from({ length: 40 }, (_, k) => 50 + Math.sin(k)),
    30,
  );
  const spec = site("a", losslessBattery({ ratedCapKwh: 30, ...capable }));
  const readings = [[END], [T0 + 123_456, T0 + 400_000, END]].map((instants) => {
    const { alone, orders } = siteWith(spec, frequencyHz, [{ sku: "fcr", deltaKw: 0, fcrCapacityKw: 300 }]);
    return instants.map((atMs) => alone.fcrRegisters(orders[0], atMs)).at(-1);
  });
  expect(readings[0]).toEqual(readings[1]);
  expect(readings[0]?.upKwh).toBeGreaterThan(1);
});
