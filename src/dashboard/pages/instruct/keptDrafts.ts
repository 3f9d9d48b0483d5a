import type { Station } from "../../data/station.ts";
import type { ControlDraft } from "./controlDraft.ts";

const DRAFTS = new WeakMap<Station, Map<string, ControlDraft>>();

/** Forms of a station as they were filled in, by name: they are there again when a person comes back from another page. */
export function keptDrafts(station: Station): Map<string, ControlDraft> {
  const drafts = DRAFTS.get(station) ?? new Map<string, ControlDraft>();
  DRAFTS.set(station, drafts);
  return drafts;
}

/** A kept draft; a schedule that would have begun meanwhile takes the times of a new one. */
export function restoredDraft(kept: ControlDraft | undefined, fresh: ControlDraft, nowMs: number): ControlDraft {
  if (kept === undefined) return fresh;
  const isPast = kept.startMs !== null && kept.startMs <= nowMs;
  return isPast ? { ...kept, startMs: fresh.startMs, endMs: fresh.endMs } : kept;
}
