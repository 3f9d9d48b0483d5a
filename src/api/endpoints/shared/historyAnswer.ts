import type { World } from "../../../engine/simulation/world.ts";
import type { Answer } from "../route.ts";
import type { HistoryPeriod } from "./historyRules.ts";
import { jsonStream } from "./jsonStream.ts";
import { wireTime } from "./wireTime.ts";

/** What an answer of site API 2.2 and of the VPP API repeats of its request. */
export const repeatedRequest = (
  { request_id }: { readonly request_id?: string },
  { startMs, endMs }: HistoryPeriod,
): { readonly request_id: string | null; readonly start_time: string; readonly end_time: string } => ({
  request_id: request_id ?? null,
  start_time: wireTime(startMs),
  end_time: wireTime(endMs),
});

/** A history in pieces. @param records  each as JSON text */
export const historyAnswer = ({ nowMs }: World, head: object, records: Iterable<string>): Answer => ({
  status: 200,
  body: null,
  stream: jsonStream(head, "data", records, { timestamp: wireTime(nowMs) }),
});
