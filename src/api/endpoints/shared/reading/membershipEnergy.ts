import { type PastSite, RegisterReader } from "../../../../accounting/history/pastSite.ts";
import type { Span } from "../../../../accounting/history/spanList.ts";
import { registerCount } from "../../../../accounting/meters/componentRegisters.ts";
import { energyFieldsOf, energyFieldValue } from "../../../../accounting/recorders/energyFields.ts";
import type { EpochMs } from "../../../../base/time.ts";
import type { EnergyField } from "../../../../engine/site/meters/energyRegisters.ts";
import type { Site } from "../../../../engine/site/site.ts";
import type { ComponentEnergy } from "../../schemas/componentSchemas.ts";
import { readComponentEnergy } from "./componentReading.ts";

/** The API gives energies with one decimal. */
const UNITS_PER_KWH = 10;

/** Energy of one site by interval, counted within given spans only. Intervals must be read in order of time. */
export class MembershipEnergy {
  readonly fields: readonly EnergyField[];
  private readonly spans: readonly Span[];
  private readonly reader: RegisterReader;
  private readonly site: Site;
  private readonly registers: Float64Array;

  /** @param spans  periods in which energy counts, in order of time */
  constructor(past: PastSite, spans: readonly Span[], fromMs: EpochMs) {
    this.fields = energyFieldsOf(past.site.spec);
    this.spans = spans;
    this.site = past.site;
    this.registers = new Float64Array(registerCount(past.site));
    this.reader = new RegisterReader(past, UNITS_PER_KWH, fromMs);
  }

  /** Reads an interval that does not begin before the last one's end. @returns whether any of it counts */
  read(startMs: EpochMs, endMs: EpochMs): boolean {
    const reader = this.reader;
    this.registers.fill(0);
    let counts = false;
    for (const span of this.spans) {
      const fromMs = Math.max(startMs, span.startMs);
      const toMs = Math.min(endMs, span.endMs);
      if (toMs <= fromMs) continue;
      counts = true;
      reader.advanceTo(fromMs);
      reader.advanceTo(toMs);
      for (let k = 0; k < this.registers.length; k++) this.registers[k] += reader.values[k];
    }
    return counts;
  }

  /** A field of the interval that was read, in tenths of a kWh. */
  energyTenths(field: EnergyField): number {
    return energyFieldValue(field, this.site, this.registers) || 0;
  }

  /** All fields of the interval as a JSON record, in kWh. */
  toRecord(): Partial<Record<EnergyField, number>> {
    const record: Partial<Record<EnergyField, number>> = {};
    for (const field of this.fields) record[field] = this.energyTenths(field) / UNITS_PER_KWH;
    return record;
  }

  /** Energy paths of the components of a composite site; empty for a site of one component. */
  componentEnergies(): { readonly components?: ComponentEnergy[] } {
    if (this.site.resource.composite === null) return {};
    return { components: readComponentEnergy(this.site, this.registers, UNITS_PER_KWH) };
  }
}

/** One span without bounds. */
export const ALL_TIME: readonly Span[] = [{ startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY }];
