import type { ApiName, Route } from "../../endpoints/route.ts";
import { ID_PATTERN } from "../../endpoints/schemas/baseSchemas.ts";
import { type ErrorType, errorEntryOf } from "../../endpoints/shared/errorCatalogue.ts";
import { BUCKET_LIMITS } from "../limits/rateLimits.ts";
import { documentPath, ID_NAMES } from "../paths.ts";
import { API_SCHEMAS } from "./apiSchemas.ts";
import { ACCESS_TOKEN, authOperation } from "./authOperation.ts";
import { ANSWER_HEADERS, HEADERS, type JsonObject, namedSchemas, REPLAY_HEADERS } from "./descriptionParts.ts";
import { apiErrorSchema, errorAnswer, errorTypesOf } from "./errorSchema.ts";
import { type ExampleValues, FIXED_EXAMPLES, sampleValue } from "./exampleValues.ts";
import { type BodyExamples, bodyExamples, parameterExample } from "./requestExamples.ts";

interface ApiInfo {
  readonly title: string;
  /** Version of the document that the table follows. */
  readonly version: string;
  readonly description: string;
}

const SHARED_RULES =
  "Instants are ISO 8601 in UTC and end in Z; kW and kWh have one decimal; receiving is positive, sending negative. " +
  "All times, limits and expiries are simulated time.";

export const API_INFO: Readonly<Record<ApiName, ApiInfo>> = {
  "vpp-v1": {
    title: "VPP aggregation API v1",
    version: "1.4",
    description: `Monitors, instructs and settles the members of a virtual power plant as one plant. ${SHARED_RULES}`,
  },
  "site-v2": {
    title: "Site control API v2",
    version: "2.2",
    description: `State, specification, schedules, baselines and history of one site. ${SHARED_RULES}`,
  },
  "site-v1": {
    title: "Site control API v1",
    version: "1.13",
    description: `State, schedules and history of one battery storage site, for existing integrations. ${SHARED_RULES}`,
  },
};

/** By the first segment of the path. */
const TAGS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  auth: ["Tokens", "Access tokens, on the authentication host"],
  members: ["Members", "The sites that a VPP bundles"],
  status: ["Status", "How things stand now"],
  specifications: ["Specifications", "What a site is and can do"],
  control: ["Control", "Immediate instructions and schedules"],
  measurements: ["History", "Power and energy of the past"],
  report: ["History", "Power and energy of the past"],
  baseline: ["Baselines", "Half-hour slots that delivery is measured against"],
  serviceplan: ["Service plan", "Half hours in and out of service to come"],
  fcr: ["FCR parameters", "How a site answers to the frequency"],
};

/**
 * Generates the OpenAPI 3.1 description of one API from its endpoint table. @fastify/swagger reads schemas of Fastify's routes, which
 * have none: requests are checked by the rules of the table, in the order of the documents.
 */
export function openApiDocument(
  api: ApiName,
  routes: readonly Route[],
  { authUrl, examples }: DescriptionContext = OFFLINE_CONTEXT,
): JsonObject {
  const { title, version, description } = API_INFO[api];
  const error = apiErrorSchema(api);
  const auth = authOperation({ api, error }, authUrl);
  const paths: Record<string, JsonObject> = { ...auth.paths };
  for (const route of routes) {
    const path = documentPath(api, route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, error, examples) };
  }
  const tags = new Map([TAGS.auth, ...routes.map(tagOf)]);
  const document = {
    openapi: "3.1.0",
    info: {
      title,
      version,
      description,
      contact: CONTACT,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The server that this description comes from" }],
    security: [{ accessToken: [] }],
    tags: [...tags].map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "Of POST /auth/refresh" },
        ...auth.securitySchemes,
      },
      headers: headersOf(routes),
      parameters: { RequestId: REQUEST_ID },
    },
  };
  return namedSchemas(document, { AccessToken: ACCESS_TOKEN, ApiError: error, ...API_SCHEMAS[api] });
}

/** A description has no component that it does not use. */
function headersOf(routes: readonly Route[]): JsonObject {
  const { IdempotencyReplayed, ...common } = HEADERS;
  return routes.some(({ isIdempotent }) => isIdempotent) ? HEADERS : common;
}

const tagOf = ({ path }: Route): readonly [string, string] => TAGS[path.split("/")[1]];

function operationOf(route: Route, error: JsonObject, examples: ExampleValues): JsonObject {
  const { api, operationId, summary, method, bodySchema: body } = route;
  return {
    operationId,
    summary,
    tags: [tagOf(route)[0]],
    description: budgetOf(route),
    parameters: parametersOf(route, examples),
    ...(body === undefined || method === "GET"
      ? {}
      : { requestBody: requestBodyOf(body as JsonObject, bodyExamples(route, examples)) }),
    responses: {
      200: answerOf(route),
      ...errorAnswersOf({ api, error }, errorTypesOf(route)),
    },
  };
}

const budgetOf = ({ rateBucket: bucket }: Route): string =>
  `Counts against the ${bucket} budget of ${BUCKET_LIMITS[bucket]} requests in a sliding hour of simulated time.`;

function parametersOf(route: Route, examples: ExampleValues): readonly JsonObject[] {
  const { api, path, querySchema, ignoredQuerySchema, isIdempotent: idempotent } = route;
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const { properties = {}, required = [] } = (querySchema ?? ignoredQuerySchema ?? {}) as {
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly required?: readonly string[];
  };
  return [
    ...[ID_NAMES[api], ...variables].map((name) => ({
      name,
      in: "path",
      required: true,
      schema: ID,
      example: name === ID_NAMES[api] ? examples.ids[api] : examples.memberId,
    })),
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      in: "query",
      required: required.includes(name),
      schema,
      ...exampleOf(parameterExample(route, name, examples)),
    })),
    { $ref: "#/components/parameters/RequestId" },
    ...(idempotent ? [IDEMPOTENCY_KEY] : []),
  ];
}

const exampleOf = (example: unknown): JsonObject => (example === undefined ? {} : { example });

const requestBodyOf = (schema: JsonObject, bodies: BodyExamples | null): JsonObject => ({
  required: true,
  content: {
    "application/json":
      bodies === null
        ? { schema, example: sampleValue(schema) }
        : {
            schema,
            examples: Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { value }])),
          },
  },
});

const answerOf = ({ answerSchema, isIdempotent }: Route): JsonObject => ({
  description: "Done",
  headers: isIdempotent === true ? { ...ANSWER_HEADERS, ...REPLAY_HEADERS } : ANSWER_HEADERS,
  content: { "application/json": { schema: answerSchema, example: sampleValue(answerSchema as JsonObject) } },
});

function errorAnswersOf(envelope: Parameters<typeof errorAnswer>[0], kinds: readonly ErrorType[]): JsonObject {
  const byCode = new Map<number, ErrorType[]>();
  for (const kind of kinds) {
    const { code } = errorEntryOf(envelope.api, kind);
    byCode.set(code, [...(byCode.get(code) ?? []), kind]);
  }
  const sorted = [...byCode].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([code, types]) => [code, errorAnswer(envelope, code, types, ANSWER_HEADERS)]));
}

/** An id of another form is answered as unknown (404), not as malformed. */
const ID = { type: "string", pattern: ID_PATTERN, description: "32 lowercase hexadecimal characters" };

export const CONTACT: JsonObject = { name: "vppsim maintainers" };

const REQUEST_ID: JsonObject = {
  name: "X-Request-Id",
  in: "header",
  description: "Returned with the answer, and logged",
  schema: { type: "string" },
  example: "r-1",
};

const IDEMPOTENCY_KEY: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Kept for 24 hours of simulated time: the same key and body get the same answer, without a second effect.",
  schema: { type: "string", pattern: "^[\\x20-\\x7e]{1,128}$" },
};

/** What a description depends on besides the endpoint tables. */
export interface DescriptionContext {
  /** URL of the authentication host. */
  readonly authUrl: string;
  readonly examples: ExampleValues;
}

/** For a description without a server: default port, fixed examples. */
export const OFFLINE_CONTEXT: DescriptionContext = { authUrl: "http://127.0.0.1:8081", examples: FIXED_EXAMPLES };
