import type { BatterySpec } from "../../engine/device/battery/batterySpec.ts";
import { ratedPowerKw } from "../../engine/site/frequency/ratedPowerKw.ts";
import type { FitResult } from "./estimate.ts";
import { fitFrequencyResponse } from "./frequencyResponse.ts";
import { isOffBounds, restOf, targetsOf } from "./rest.ts";
import { NO_ROWS, type SiteInput, valuesOf } from "./siteInput.ts";
import { fitSteps, noSteps, responseNames, responseOf, stepsOf } from "./steps.ts";
import { fitStorage } from "./storage.ts";

const NO_FINE = "nothing is measured by the second; rows a minute apart tell no response";

/** A battery alone at its site. */
export function fitBattery(input: SiteInput<BatterySpec>): FitResult {
  const rest = restOf(input);
  const { measured, site, options } = input;
  const table = measured.fine?.columns.has("current_kw") === true ? measured.fine : NO_ROWS;
  const targetKw = targetsOf(table);
  const powerKw = valuesOf(table, "current_kw").map((kw) => kw - rest.auxiliaryKw);
  const names = responseNames(input.spec, site.link.latencyMs);
  const capacityKw = valuesOf(table, "fcr_response_kw");
  const isExcluded = (row: number): boolean => 0 < capacityKw[row];
  const { noiseKw } = rest;
  const steps =
    table === NO_ROWS
      ? noSteps(names, NO_FINE)
      : fitSteps(stepsOf({ table, targetKw, powerKw, noiseKw, isExcluded }), table.spacingMs, names, options);
  const followed = responseOf(steps.estimates, names);
  const storage = fitStorage(input, rest, followed);
  const isRamped = Number.isFinite(followed.rampKwPerS);
  const soc = valuesOf(table, "soc");
  const freeKw = powerKw.map((kw, row) => (isOffBounds(soc[row], input.spec) ? kw : Number.NaN));
  const ratedKw = ratedPowerKw(site.components);
  const source = { table, targetKw, powerKw: freeKw, config: site.fcr, ratedKw, isRamped };
  const response = fitFrequencyResponse(source, options);
  const parts = [{ estimates: [rest.estimate], fits: [] }, storage, steps, response];
  return { estimates: parts.flatMap(({ estimates }) => estimates), fits: parts.flatMap(({ fits }) => fits) };
}
