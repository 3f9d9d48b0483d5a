import type { Kernel } from "../kernel/kernel.ts";
import type { Site } from "../site/site.ts";
import type { SiteAccess } from "../vpp/dispatch/siteAccess.ts";
import type { Vpp } from "../vpp/vpp.ts";
import type { Machines } from "./machines.ts";
import type { Observer } from "./observer.ts";
import type { RequestEvent } from "./worldSpec.ts";

/** What the parts of a world use of it. */
export interface WorldContext extends SiteAccess {
  readonly vpps: readonly Vpp[];
  readonly kernel: Kernel;
  readonly observer: Observer;
  readonly machines: Machines;
  /** Increases with each change that a client makes to a site's settings. */
  readonly settingsRevision: number;
  /** Whether any direct order was ever registered. */
  readonly hasDirectOrders: boolean;
  /** @returns the next registration number */
  nextRegistration(): number;
  /**
   * Schedules an evaluation at the next whole minute, after a site went out of service or came back.
   *
   * @param settled  whether the change came after the evaluation of this instant, so that the next minute counts
   *   (docs/model/time.md#file-order)
   */
  scheduleEvaluation(site: Site, settled: boolean): void;
  /** Passes an API request to the host of the world. */
  answer(request: RequestEvent): void;
}
