import type { SandboxEvent } from "../../../api/client/sandboxTypes.ts";

interface EventFilter {
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
