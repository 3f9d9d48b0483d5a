import { MS_PER_SECOND } from "../../../base/time.ts";

/** Message types that a reader can select; `hello` and `gap` are always sent. */
export const MESSAGE_TYPES = ["status", "member_status", "schedule", "instruction", "fault", "alarm", "clock"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Seconds of simulated time between two status messages. */
export const INTERVAL_SECONDS = { minimum: 1, maximum: 86_400, default: 60 } as const;

/** A reader's selection of messages. */
export interface Subscription {
  readonly types: ReadonlySet<MessageType>;
  readonly intervalMs: number;
}

/** Applies until a reader subscribes (docs/model/sandbox.md#telemetry-messages). */
export const DEFAULT_SUBSCRIPTION: Subscription = {
  types: new Set(MESSAGE_TYPES),
  intervalMs: INTERVAL_SECONDS.default * MS_PER_SECOND,
};

/**
 * Parses a subscribe message; absent keys leave the subscription unchanged.
 *
 * @returns the new subscription, or a description of the error
 */
export function parseSubscription(text: string, now: Subscription): Subscription | string {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return "a message must be JSON";
  }
  if (message === null || typeof message !== "object") return "a message must be an object";
  const { type, types, interval_seconds: interval, ...rest } = message as Record<string, unknown>;
  if (type !== "subscribe") return 'the type of a message must be "subscribe"';
  const [stranger] = Object.keys(rest);
  if (stranger !== undefined) return `${stranger.slice(0, 32)} is not a key of subscribe`;
  if (types !== undefined && !(Array.isArray(types) && types.every(isMessageType)))
    return `types must be a list of ${MESSAGE_TYPES.join(", ")}`;
  if (interval !== undefined && !isInterval(interval))
    return `interval_seconds must be a whole number from ${INTERVAL_SECONDS.minimum} to ${INTERVAL_SECONDS.maximum}`;
  return {
    types: types === undefined ? now.types : new Set(types as readonly MessageType[]),
    intervalMs: interval === undefined ? now.intervalMs : (interval as number) * MS_PER_SECOND,
  };
}

const isMessageType = (value: unknown): value is MessageType => (MESSAGE_TYPES as readonly unknown[]).includes(value);
const isInterval = (value: unknown): boolean =>
  Number.isInteger(value) &&
  INTERVAL_SECONDS.minimum <= (value as number) &&
  (value as number) <= INTERVAL_SECONDS.maximum;
