import { composeObservers } from "../simulation/composeObservers.ts";
import type { Observer } from "../simulation/observer.ts";
import type { SessionListener } from "./listener.ts";

/** Tells listeners what a world tells, from the moment it goes live; they may come later than the world. */
export class Relay {
  isLive = false;
  readonly observer: Observer;
  readonly #listeners: readonly SessionListener[];
  #told: Observer = composeObservers([]);
  #count = 0;

  constructor(listeners: readonly SessionListener[]) {
    this.#listeners = listeners;
    const to = (): Observer => this.#current();
    this.observer = {
      attached: () => {},
      siteCloses: (site, atMs) => to().siteCloses(site, atMs),
      instructionCloses: (instruction, atMs) => to().instructionCloses(instruction, atMs),
      lawsHold: (fromMs, toMs) => to().lawsHold(fromMs, toMs),
      registered: (instruction, atMs) => to().registered(instruction, atMs),
      refused: (origin, kind, atMs) => to().refused(origin, kind, atMs),
      voided: (instruction, by, atMs) => to().voided(instruction, by, atMs),
      overwritten: (instruction, by, atMs) => to().overwritten(instruction, by, atMs),
      deleted: (instruction, atMs) => to().deleted(instruction, atMs),
      executed: (instruction, atMs) => to().executed(instruction, atMs),
      redispatched: (instruction, atMs) => to().redispatched(instruction, atMs),
      ended: (instruction, atMs, by) => to().ended(instruction, atMs, by),
      happened: (kind, subject, detail, atMs) => to().happened(kind, subject, detail, atMs),
    };
  }

  #current(): Observer {
    if (this.isLive && this.#count !== this.#listeners.length) {
      this.#count = this.#listeners.length;
      this.#told = composeObservers(this.#listeners.map(({ observer }) => observer));
    }
    return this.#told;
  }
}
