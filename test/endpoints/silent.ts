import type { Observer } from "../../src/simulation/observer.ts";

const nothing = () => undefined;

/** Hears everything and keeps nothing. */
export const silent = (): Observer => ({
  attached: nothing,
  siteCloses: nothing,
  instructionCloses: nothing,
  lawsHold: nothing,
  registered: nothing,
  refused: nothing,
  voided: nothing,
  overwritten: nothing,
  deleted: nothing,
  executed: nothing,
  redispatched: nothing,
  ended: nothing,
  happened: nothing,
});
