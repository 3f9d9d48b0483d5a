import { FAULT_KINDS } from "../../../inputs/scenario/schema/faultSchema.ts";
import { ALARM_CHANGES } from "../../../live/session/alarms/alarm.ts";
import { AlarmRecord } from "../../../live/session/alarms/alarmSchema.ts";
import { ClockRecord } from "../../../live/session/sandboxCommands.ts";
import type { ApiName, Route } from "../../endpoints/route.ts";
import { sampleValue } from "../openapi/exampleValues.ts";
import { PATH_PREFIXES } from "../paths.ts";
import { INTERVAL_SECONDS, MESSAGE_TYPES } from "./subscription.ts";
import { CLOSE_REASONS, POLICY_VIOLATION } from "./telemetryReader.ts";

type JsonObject = Readonly<Record<string, unknown>>;

const CHANNELS = { vppTelemetry: "vpp-v1", siteTelemetry: "site-v2" } as const;
type Channel = keyof typeof CHANNELS;

const instant = { type: "string", format: "date-time" };
const anyRecord = { type: "object" };

const SUBSCRIBE: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["type"],
  properties: {
    type: { const: "subscribe" },
    types: { type: "array", items: { enum: MESSAGE_TYPES }, description: "Absent: unchanged; initially all" },
    interval_seconds: {
      type: "integer",
      minimum: INTERVAL_SECONDS.minimum,
      maximum: INTERVAL_SECONDS.maximum,
      description: "Simulated seconds between two status messages, on whole multiples in UTC",
    },
  },
};

const FAULT: JsonObject = {
  type: "object",
  required: ["fault_id", "kind", "site", "starts_at", "ends_at"],
  properties: {
    fault_id: { type: "string" },
    kind: { enum: FAULT_KINDS },
    site: { type: "string", description: "Its name in the scenario" },
    starts_at: instant,
    ends_at: { anyOf: [instant, { type: "null" }] },
  },
};

const ALARM: JsonObject = {
  ...AlarmRecord,
  properties: { ...AlarmRecord.properties, what: { enum: ALARM_CHANGES } },
  required: [...AlarmRecord.required, "what"],
};

const GAP: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["dropped", "next_seq"],
  properties: {
    dropped: {
      type: "integer",
      minimum: 1,
      description: "Messages lost; the first of their numbers is this one's seq",
    },
    next_seq: { type: "integer", minimum: 2, description: "The number of the message that follows" },
  },
};

/** Schema of a route's 200 answer. */
function recordOf(routes: readonly Route[], method: string, path: string): JsonObject {
  const route = routes.find((row) => row.method === method && row.path === path);
  return (route?.answerSchema ?? anyRecord) as JsonObject;
}

function property(schema: JsonObject, name: string): JsonObject {
  const list = (schema.properties as Readonly<Record<string, JsonObject>> | undefined)?.[name];
  return (list?.items ?? anyRecord) as JsonObject;
}

/** Schema of `data` by message type (docs/model/sandbox.md#telemetry-messages). */
function dataSchemas(
  channel: Channel,
  routes: readonly Route[],
): Readonly<Record<string, readonly [string, JsonObject]>> {
  const status = recordOf(routes, "GET", "/status");
  const entry = property(recordOf(routes, "GET", "/control/active_power/schedules"), "schedules");
  const isVpp = channel === "vppTelemetry";
  return {
    hello: ["The first message, again after a reset or a restore: the present status", status],
    status: ["The status, once in each interval", status],
    member_status: isVpp
      ? ["A member changed: its element of the status", property(status, "members")]
      : ["The site changed: its status", status],
    schedule: ["A schedule came into a state: its entry and the state", withState(entry)],
    instruction: ["An immediate instruction: its answer", recordOf(routes, "POST", "/control/active_power")],
    fault: ["A fault was begun or ended in the sandbox", FAULT],
    ...(isVpp
      ? { alarm: ["An alarm of the VPP changed: the alarm in English, and what happened", ALARM] as const }
      : {}),
    clock: ["The clock was paused, set going or put back", { ...ClockRecord }],
    gap: ["The reader missed messages: it was too slow, or resumed too late", GAP],
  };
}

const STATES = ["pending", "running", "completed", "overwritten", "deleted"];

function withState(entry: JsonObject): JsonObject {
  const { properties, required } = entry as { readonly properties?: JsonObject; readonly required?: readonly string[] };
  return {
    ...entry,
    properties: { ...properties, state: { enum: STATES } },
    required: [...(required ?? []), "state"],
  };
}

const CLOSE_TEXT = Object.values(CLOSE_REASONS)
  .map(({ code, reason }) => `${code} ${reason}`)
  .join(", ");

const RESUMPTION_QUERY: JsonObject = {
  type: "object",
  description: "Both together continue after a lost connection; without them, or when nothing is kept, a hello follows",
  properties: {
    session: { type: "string", description: "session of the last hello" },
    last_seq: { type: "integer", minimum: 0, description: "The last number received" },
  },
};

const INFO: JsonObject = {
  title: "Telemetry",
  version: "1.0.0",
  description: "Changes of a session as they occur. All times are simulated.",
  license: { name: "Apache-2.0" },
};

/** Generates the AsyncAPI 3.0 description of the telemetry. */
export function asyncApiDocument(
  tables: Readonly<Record<ApiName, readonly Route[]>>,
  serverHost = "127.0.0.1:8080",
): JsonObject {
  const channels: Record<string, JsonObject> = {};
  const operations: Record<string, JsonObject> = {};
  const messages: Record<string, JsonObject> = {
    subscribe: message("subscribe", "Say what to send", SUBSCRIBE),
  };
  for (const [channel, api] of Object.entries(CHANNELS) as [Channel, ApiName][]) {
    const data = dataSchemas(channel, tables[api]);
    const names = Object.keys(data);
    for (const [type, [title, schema]] of Object.entries(data))
      messages[`${channel}_${type}`] = message(type, title, frameSchema(type, schema));
    const idName = api === "vpp-v1" ? "vpp_id" : "id";
    const refs = names.map((type) => [type, { $ref: `#/components/messages/${channel}_${type}` }]);
    channels[channel] = {
      address: `${PATH_PREFIXES[api]}{${idName}}/telemetry`,
      description:
        "Without a valid token the upgrade is refused with the status and error body of the API. " +
        `A message that is no subscription closes with ${POLICY_VIOLATION}. The server closes with code and reason: ` +
        CLOSE_TEXT,
      bindings: { ws: { query: RESUMPTION_QUERY } },
      parameters: { [idName]: { description: "32 lowercase hexadecimal characters" } },
      messages: { ...Object.fromEntries(refs), subscribe: { $ref: "#/components/messages/subscribe" } },
    };
    const all = (types: readonly string[]) => types.map((type) => ({ $ref: `#/channels/${channel}/messages/${type}` }));
    const at = { $ref: `#/channels/${channel}` };
    operations[`${channel}Tell`] = { action: "send", channel: at, messages: all(names) };
    operations[`${channel}Subscribe`] = { action: "receive", channel: at, messages: all(["subscribe"]) };
  }
  return {
    asyncapi: "3.0.0",
    info: INFO,
    defaultContentType: "application/json",
    servers: {
      session: {
        host: serverHost,
        protocol: "ws",
        security: [{ $ref: "#/components/securitySchemes/accessToken" }],
      },
    },
    channels,
    operations,
    components: {
      messages,
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "In the Authorization header, or as the subprotocol pair `bearer, <token>`",
        },
      },
    },
  };
}

const message = (name: string, title: string, payload: JsonObject): JsonObject => ({
  name,
  title,
  payload,
  examples: [{ name, payload: sampleValue(payload) }],
});

const frameSchema = (type: string, data: JsonObject): JsonObject => ({
  type: "object",
  additionalProperties: false,
  required: ["seq", "type", "at", "data"],
  properties: {
    seq: { type: "integer", minimum: 1, description: "Rises by 1; begins again with each hello" },
    ...(type === "hello" ? { session: { type: "string", description: "For ?session= of a resumption" } } : {}),
    type: { const: type },
    at: instant,
    data,
  },
});
