import type { Site } from "../../site/site.ts";

/** Leaf paths of a site's energy, in kWh from the start of the run; which of them a kind has: `LEAVES_OF`. */
export const REGISTER = {
  import: 0,
  export: 1,
  baseline: 2,
  fitCurtailed: 3,
  nonFirmCurtailed: 4,
  manualCurtailed: 5,
  otherCurtailed: 6,
  drDelivered: 7,
} as const;
export const REGISTER_COUNT = 8;

/** Leaves that a kind of site has; its other registers stay 0. */
export const REGISTERS_OF = {
  battery: [REGISTER.import, REGISTER.export, REGISTER.baseline],
  generator: [
    REGISTER.import,
    REGISTER.export,
    REGISTER.baseline,
    REGISTER.fitCurtailed,
    REGISTER.nonFirmCurtailed,
    REGISTER.manualCurtailed,
    REGISTER.otherCurtailed,
  ],
  dispatchable: [REGISTER.import, REGISTER.export, REGISTER.baseline],
  consumer: [REGISTER.import, REGISTER.export, REGISTER.baseline, REGISTER.drDelivered],
} as const satisfies Record<Exclude<Site["resource"]["kind"], "multi_component">, readonly number[]>;
