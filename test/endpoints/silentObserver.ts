import type { Observer } from "../../src/simulation/observer.ts";

const nothing = () => undefined;

/** An observer without effect. */
export const silentObserver = (): Observer => ({
  onAttached: nothing,
  onSiteChange: nothing,
  onInstructionChange: nothing,
  onTrajectoryInterval: nothing,
  onRegistered: nothing,
  onRefused: nothing,
  onVoided: nothing,
  onOverwritten: nothing,
  onDeleted: nothing,
  onExecuted: nothing,
  onRedispatched: nothing,
  onEnded: nothing,
  onRunEvent: nothing,
});
