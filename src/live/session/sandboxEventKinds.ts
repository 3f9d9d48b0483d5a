/** Kinds of the events of `GET /sandbox/events` (docs/model/sandbox.md#events). */
export const SANDBOX_EVENT_KINDS = [
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
] as const;

export type SandboxEventKind = (typeof SANDBOX_EVENT_KINDS)[number];
