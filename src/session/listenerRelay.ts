import { composeObservers } from "../simulation/composeObservers.ts";
import type { Observer } from "../simulation/observer.ts";
import type { SessionListener } from "./sessionListener.ts";

/** Forwards a world's events to listeners once it is live; listeners may be added after the world was built. */
export class ListenerRelay {
  isLive = false;
  readonly observer: Observer;
  readonly #listeners: readonly SessionListener[];
  #combinedObserver: Observer = composeObservers([]);
  #combinedCount = 0;

  constructor(listeners: readonly SessionListener[]) {
    this.#listeners = listeners;
    const to = (): Observer => this.#current();
    this.observer = {
      onAttached: () => {},
      onSiteChange: (site, atMs) => to().onSiteChange(site, atMs),
      onInstructionChange: (instruction, atMs) => to().onInstructionChange(instruction, atMs),
      onTrajectoryInterval: (fromMs, toMs) => to().onTrajectoryInterval(fromMs, toMs),
      onRegistered: (instruction, atMs) => to().onRegistered(instruction, atMs),
      onRefused: (origin, kind, atMs) => to().onRefused(origin, kind, atMs),
      onVoided: (instruction, by, atMs) => to().onVoided(instruction, by, atMs),
      onOverwritten: (instruction, by, atMs) => to().onOverwritten(instruction, by, atMs),
      onDeleted: (instruction, atMs) => to().onDeleted(instruction, atMs),
      onExecuted: (instruction, atMs) => to().onExecuted(instruction, atMs),
      onRedispatched: (instruction, atMs) => to().onRedispatched(instruction, atMs),
      onEnded: (instruction, atMs, by) => to().onEnded(instruction, atMs, by),
      onRunEvent: (kind, subject, detail, atMs, scheduleIds) =>
        to().onRunEvent(kind, subject, detail, atMs, scheduleIds),
    };
  }

  #current(): Observer {
    if (this.isLive && this.#combinedCount !== this.#listeners.length) {
      this.#combinedCount = this.#listeners.length;
      this.#combinedObserver = composeObservers(this.#listeners.map(({ observer }) => observer));
    }
    return this.#combinedObserver;
  }
}
