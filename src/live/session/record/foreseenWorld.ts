import type { EpochMs } from "../../../base/time.ts";
import { EVENT_KIND } from "../../../engine/simulation/ranks.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { NoticeBoard } from "./noticeBoard.ts";

/** What follows from orders that are registered and from limits that are announced. All other events are of the scenario. */
const FORESEEN_EVENTS: ReadonlySet<number> = new Set([
  EVENT_KIND.setpointEffect,
  EVENT_KIND.replan,
  EVENT_KIND.instructionStart,
  EVENT_KIND.instructionEnd,
  EVENT_KIND.redispatch,
  EVENT_KIND.directOrderStart,
  EVENT_KIND.directOrderEnd,
  EVENT_KIND.connectionLimit,
]);

/** Subjects of notices that change what a site does, and how a copy is without them. */
const UNNOTICED: Readonly<Record<string, (site: Site) => void>> = {
  service: (site) => {
    while (site.activeOutageCount > 0) site.endOutage();
  },
  output_limited: (site) => {
    site.outputControls = [];
  },
  derated: (site) => {
    site.setMalfunctions({ ...site.malfunctions, derateShare: 1 }, site.advancedToMs);
  },
  no_data: (site) => {
    site.activeLinkFaultCount = 0;
  },
  no_frequency_response: (site) => {
    site.activeFcrFaultCount = 0;
  },
};

/**
 * Takes from a copy of a world the faults that nobody has noticed. Messages arrive where the link is not known to be down
 * (docs/model/sandbox.md#preview).
 */
export function forgetUnnoticed(copy: World, notices: NoticeBoard): void {
  copy.sendMessage = ({ activeLinkFaultCount }) => activeLinkFaultCount === 0;
  copy.runCommand(() => {
    for (const site of copy.sites)
      for (const [subject, forget] of Object.entries(UNNOTICED)) {
        if (!notices.isHidden(site.spec.name, subject, copy.nowMs)) continue;
        copy.beginSiteChange(site);
        forget(site);
      }
  });
}

/** Runs a copy of a world to a later instant by what an operator can know now (docs/model/sandbox.md#preview). */
export function runForeseen(copy: World, untilMs: EpochMs): void {
  copy.runCommand(() => {
    for (const site of copy.sites) {
      copy.beginSiteChange(site);
      site.expectInput(copy.nowMs);
    }
  });
  copy.kernel.runThrough(untilMs, {
    handleEvent: (kind, subject) => {
      if (FORESEEN_EVENTS.has(kind)) copy.handleEvent(kind, subject);
    },
    handleInstantEnd: () => copy.handleInstantEnd(),
  });
}
