import { LeafReader } from "../../../accounting/history/leafReader.ts";
import type { PastSite } from "../../../accounting/history/pastSite.ts";
import type { Span } from "../../../accounting/history/spans.ts";
import { registerCount } from "../../../accounting/meters/partLeaves.ts";
import { type EnergyField, fieldsOf, fieldValue } from "../../../accounting/recorders/energyFields.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Site } from "../../../site/site.ts";
import type { ComponentEnergy } from "../../schemas/components.ts";
import { partEnergy } from "./partReading.ts";

/** Answers have one decimal. */
const UNITS_PER_KWH = 10;

/** Energy of one site from interval to interval, counted while a span lasts; asked for in order of time. */
export class SpanEnergy {
  readonly fields: readonly EnergyField[];
  readonly #spans: readonly Span[];
  readonly #reader: LeafReader;
  readonly #site: Site;
  readonly #leaves: Float64Array;

  /** @param spans  when it counts; in order */
  constructor(past: PastSite, spans: readonly Span[], fromMs: EpochMs) {
    this.fields = fieldsOf(past.site);
    this.#spans = spans;
    this.#site = past.site;
    this.#leaves = new Float64Array(registerCount(past.site));
    this.#reader = new LeafReader(past, UNITS_PER_KWH, fromMs);
  }

  /** Reads an interval that does not begin before the last one's end. @returns whether any of it counts */
  read(startMs: EpochMs, endMs: EpochMs): boolean {
    const reader = this.#reader;
    this.#leaves.fill(0);
    let counts = false;
    for (const span of this.#spans) {
      const fromMs = Math.max(startMs, span.startMs);
      const toMs = Math.min(endMs, span.endMs);
      if (toMs <= fromMs) continue;
      counts = true;
      reader.cut(fromMs);
      reader.cut(toMs);
      for (let k = 0; k < this.#leaves.length; k++) this.#leaves[k] += reader.values[k];
    }
    return counts;
  }

  /** A field of the interval that was read, in tenths of a kWh. */
  tenths(field: EnergyField): number {
    return fieldValue(field, this.#site, this.#leaves) || 0;
  }

  /** All its fields as the members of a JSON record, in kWh. */
  record(): Partial<Record<EnergyField, number>> {
    const record: Partial<Record<EnergyField, number>> = {};
    for (const field of this.fields) record[field] = this.tenths(field) / UNITS_PER_KWH;
    return record;
  }

  /** The paths of its components, where it has several. */
  parts(): { readonly components?: ComponentEnergy[] } {
    if (this.#site.unit.kind !== "multi_component") return {};
    return { components: partEnergy(this.#site, this.#leaves, UNITS_PER_KWH) };
  }
}

/** A span that always counts. */
export const ALWAYS: readonly Span[] = [{ startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY }];
