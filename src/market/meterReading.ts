import { componentRegisterBase } from "../accounting/meters/componentRegisters.ts";
import type { SiteMeter } from "../accounting/meters/compositeMeter.ts";
import type { EpochMs } from "../base/time.ts";
import { COMPONENT_REGISTER, REGISTER } from "../engine/site/meters/energyRegisters.ts";
import type { Site } from "../engine/site/site.ts";
import { componentsOf } from "../engine/site/siteResource.ts";

/** Energy of a site since the start of the run, or over a period, in kWh. */
export interface MeterReading {
  readonly importKwh: number;
  readonly exportKwh: number;
  /** Net import of the baseline. */
  readonly baselineKwh: number;
  /** Energy discharged by the stores of the site. */
  readonly dischargedKwh: number;
}

/** @param atMs  an instant up to which the current trajectory holds, not before that of an earlier call */
export function readMeter(meter: SiteMeter, atMs: EpochMs): MeterReading {
  const registers = meter.read(atMs);
  return {
    importKwh: registers[REGISTER.import],
    exportKwh: registers[REGISTER.export],
    baselineKwh: registers[REGISTER.baseline],
    dischargedKwh: dischargedKwhOf(meter, registers),
  };
}

export const changeOf = (after: MeterReading, before: MeterReading): MeterReading => ({
  importKwh: after.importKwh - before.importKwh,
  exportKwh: after.exportKwh - before.exportKwh,
  baselineKwh: after.baselineKwh - before.baselineKwh,
  dischargedKwh: after.dischargedKwh - before.dischargedKwh,
});

export const isStorageOnly = ({ resource }: Site): boolean =>
  componentsOf(resource).every((component) => component.role === "storage");

function dischargedKwhOf({ site }: SiteMeter, registers: Float64Array): number {
  if (isStorageOnly(site)) return registers[REGISTER.export];
  if (site.resource.composite === null) return 0;
  let kwh = 0;
  site.resource.components.forEach(({ role }, k) => {
    if (role !== "storage") return;
    const base = componentRegisterBase(k);
    for (const register of DISCHARGE_REGISTERS) kwh += registers[base + register];
  });
  return kwh;
}

const DISCHARGE_REGISTERS = [COMPONENT_REGISTER.toLoad, COMPONENT_REGISTER.toBattery, COMPONENT_REGISTER.toGrid];
