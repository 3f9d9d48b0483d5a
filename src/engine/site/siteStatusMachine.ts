import { setup } from "xstate";

export type SiteStatus = "in_service" | "out_of_service";
export type SiteStatusEvent = "go_out" | "come_back";

/** Service status of a site: in service (API status 0) or out of service (9). */
export const siteStatusMachine = setup({ types: { events: {} as { type: SiteStatusEvent } } }).createMachine({
  id: "siteStatus",
  initial: "in_service",
  states: {
    in_service: { on: { go_out: "out_of_service" } },
    out_of_service: { on: { come_back: "in_service" } },
  },
});
