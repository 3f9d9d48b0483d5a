import { wireTime } from "../../../endpoints/shared/wireTime.ts";
import type { HostedWorld } from "../../../session/hostedWorld.ts";
import type { NumberedEvent } from "../../../session/record/eventFeed.ts";
import type { SessionRecord } from "../../../session/record/sessionRecord.ts";
import type { SandboxEvent, SandboxEvents, SandboxRole } from "../../../session/sandboxTypes.ts";

/** `GET /sandbox/events` */
export function sandboxEvents(
  { world }: HostedWorld,
  { feed, notices }: SessionRecord,
  role: SandboxRole,
  { after, limit }: { readonly after: number; readonly limit: number },
): SandboxEvents {
  notices.noticeThrough(world.nowMs);
  return { events: feed.after(role, after, limit).map(eventOf), last_seq: feed.lastSeq(role) };
}

const eventOf = ({ seq, atMs, kind, site, awardId, text, data }: NumberedEvent): SandboxEvent => ({
  seq,
  at: wireTime(atMs),
  kind,
  site,
  award_id: awardId,
  text,
  data,
});
