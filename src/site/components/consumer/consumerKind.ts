import type { ConsumerSpec } from "../../../device/consumer/consumerSpec.ts";
import { clipSeries } from "../../../series/model/clipSeries.ts";
import { toSlotSeries } from "../../baseline/siteBaseline.ts";
import type { ComponentKind } from "../componentKind.ts";
import { consumerAccounting } from "./consumerAccounting.ts";
import { ConsumerComponent } from "./consumerComponent.ts";
import { ConsumerMeter } from "./consumerMeter.ts";
import { type ConsumerKeys, consumerScenario } from "./consumerScenario.ts";
import { consumerStudy } from "./consumerStudy.ts";
import { consumerWire } from "./consumerWire.ts";

/** A load that can be reduced. @see docs/model/consumer.md */
export const CONSUMER: ComponentKind<ConsumerSpec, ConsumerComponent, ConsumerKeys> = {
  name: "consumer",
  scenario: consumerScenario,
  wire: consumerWire,
  study: consumerStudy,
  report: { label: "load", flowRole: "load" },
  accounting: consumerAccounting,
  operation: {
    responseDelayMs: ({ responseDelayMs }) => responseDelayMs,
    ratedImportKw: ({ contractKw }) => contractKw,
    ratedExportKw: () => 0,
    respondsAsPart: false,
    loadTerms: (spec) => spec,
    auxiliaryKw: () => 0,
    uncontrolledKw: ({ loadKw, maxDemandKw }) => clipSeries(loadKw, maxDemandKw),
  },
  create: (spec, { limits, baseline, period }) => new ConsumerComponent(spec, toSlotSeries(baseline, period), limits),
  // The baseline of a composite site is not that of its load, so a load among several components uses amount control.
  createPart: (spec, limits) => new ConsumerComponent({ ...spec, control: "drop_by" }, null, limits),
  createMeter: (component, site, startMs, registers) => new ConsumerMeter(site, component, startMs, registers),
};
