import type { SandboxEvent, SandboxEventKind } from "../../../client/sandboxTypes.ts";

/** All kinds of events, in the order of the filter. */
export const EVENT_KINDS: readonly SandboxEventKind[] = [
  "award_registered",
  "award_started",
  "award_ended",
  "dispatched",
  "redispatched",
  "refused",
  "status_changed",
  "fault_noticed",
  "fault_cleared",
  "weight_changed",
  "command",
  "command_refused",
  "clock",
];

export interface EventFilter {
  /** Empty: all. */
  readonly kind: string;
  readonly site: string;
}

/** Events that pass the filter, newest first. */
export function filteredEvents(events: readonly SandboxEvent[], { kind, site }: EventFilter): readonly SandboxEvent[] {
  return events
    .filter((event) => (kind === "" || event.kind === kind) && (site === "" || event.site === site))
    .reverse();
}
