import type { HostedWorld } from "../../../../live/session/hostedWorld.ts";
import type { FeedEvent } from "../../../../live/session/record/eventFeed.ts";
import { eventData, eventText } from "../../../../live/session/record/eventText.ts";
import type { SessionRecord } from "../../../../live/session/record/sessionRecord.ts";
import type { PowerMark, SandboxEvents } from "../../../../live/session/sandboxReads.ts";
import type { AwardNames } from "../../../../report/awardNames.ts";
import { wireTime } from "../../../endpoints/shared/wireTime.ts";

/** `GET /sandbox/events` */
export function sandboxEvents(
  { world }: HostedWorld,
  { feed, notices, names }: SessionRecord,
  { after, limit }: { readonly after: number; readonly limit: number },
): SandboxEvents {
  notices.noticeThrough(world.nowMs);
  return {
    events: feed.after(after, limit).map((event) => ({ seq: event.seq, ...eventFacts(event, names) })),
    last_seq: feed.lastSeq,
  };
}

/** An event without its number. */
export const eventFacts = (event: FeedEvent, names: AwardNames): PowerMark => ({
  at: wireTime(event.atMs),
  kind: event.kind,
  site: event.site,
  award_id: event.awardId,
  text: eventText(event, names),
  data: eventData(event, names),
});
