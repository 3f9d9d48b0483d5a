import type { Site } from "../../site/site.ts";

/** Leaf paths of a site's energy, in kWh from the start of the run; which of them a kind has: `LEAVES_OF`. */
export const LEAF = {
  import: 0,
  export: 1,
  baseline: 2,
  fitCurtailed: 3,
  nonFirmCurtailed: 4,
  manualCurtailed: 5,
  otherCurtailed: 6,
  drDelivered: 7,
} as const;
export const LEAF_COUNT = 8;

/** Leaves that a kind of site has; its other registers stay 0. */
export const LEAVES_OF = {
  battery: [LEAF.import, LEAF.export, LEAF.baseline],
  generator: [
    LEAF.import,
    LEAF.export,
    LEAF.baseline,
    LEAF.fitCurtailed,
    LEAF.nonFirmCurtailed,
    LEAF.manualCurtailed,
    LEAF.otherCurtailed,
  ],
  dispatchable: [LEAF.import, LEAF.export, LEAF.baseline],
  consumer: [LEAF.import, LEAF.export, LEAF.baseline, LEAF.drDelivered],
} as const satisfies Record<Exclude<Site["unit"]["kind"], "multi_component">, readonly number[]>;
