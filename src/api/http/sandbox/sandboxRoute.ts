import type { FastifyReply } from "fastify";
import type { Static, TSchema } from "typebox";
import { ErrorCollector, formatValue } from "../../../base/inputError.ts";
import { strictObject } from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { checkDocument } from "../../../inputs/scenario/openDocument.ts";
import { createSourceNode, DocumentChecker } from "../../../inputs/scenario/parse/documentChecker.ts";
import type { MapEntry, SourceNode } from "../../../inputs/scenario/parse/sourceNode.ts";
import type { FaultKind } from "../../../inputs/scenario/schema/faultSchema.ts";
import type { LiveGrades } from "../../../live/drill/liveGrades.ts";
import type { Values } from "../../../live/session/sandboxParts.ts";
import type { SandboxRole } from "../../../live/session/sandboxReads.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import type { InitialCondition } from "../../../live/session/sessionRewinds.ts";
import { oneOf, optional, record } from "../../endpoints/schemas/baseSchemas.ts";
import type { SitePorts } from "../sitePorts.ts";
import type { SandboxAccess, SandboxCallers } from "./sandboxAccess.ts";

/** What the endpoints of the sandbox act on. */
export interface SandboxContext {
  readonly session: Session;
  readonly access: SandboxAccess;
  readonly reports: {
    /** `null`: no reports. */
    readonly folder: string | null;
    latest: { readonly folder: string; readonly files: readonly string[] } | null;
  };
  /** `null`: no site has a port of its own. */
  readonly sitePorts: SitePorts | null;
  /** `null`: the session is no drill. */
  readonly grades: LiveGrades | null;
  /** How each role reads the session for its grade. */
  readonly gradeReads: Readonly<Record<SandboxRole, () => Promise<Uint8Array>>>;
}

/** A call that the guard has admitted, with checked body and query. */
interface SandboxCall<Body, Query> extends SandboxContext {
  readonly role: SandboxRole;
  readonly body: Body;
  readonly query: Query;
  /** Values of the `{name}` parts of the path. */
  readonly variables: Readonly<Record<string, string>>;
  /** For the headers of an answer that is not JSON. */
  readonly reply: FastifyReply;
}

/** Values of the running session for the examples of the description. */
export interface SandboxExamples {
  /** Name of the scenario. */
  readonly scenario: string;
  readonly site: string;
  /** The first site that can have a fault of a kind; `null`: none can. */
  readonly faultSite: (kind: FaultKind) => string | null;
  /** An instant to which the clock can be advanced. */
  readonly target: string;
  readonly refreshToken: string;
  /** Name of a VPP. */
  readonly vpp: string;
  /** Times of a schedule that can be sent. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly awardId: string | null;
  readonly faultId: string | null;
  readonly checkpointId: string | null;
  readonly injectId: string | null;
  readonly preparedId: string | null;
  readonly initialCondition: InitialCondition;
  readonly alarmId: string | null;
  readonly httpFaultId: string | null;
}

/** An answer that is a text or a file, with its schema by media type. */
interface FileAnswer {
  readonly files: Readonly<Record<string, { readonly schema?: TSchema }>>;
}
/** A file of text. */
export const TEXT = { schema: Type.String() };

/** A whole number in a query. */
export const count = (minimum: number, maximum: number, description: string) =>
  optional(Type.Integer({ minimum, maximum, description }));
/** The part of a list that a query selects. */
export const page = record({
  after: count(0, Number.MAX_SAFE_INTEGER, "Sequence number after which to begin; default 0"),
  limit: count(1, 2_000, "Largest number of entries; default 500"),
});
/** The query of an endpoint with texts in two languages. */
export const languageQuery = record({
  lang: optional(oneOf(["en", "ja"], { description: "Language of texts; default en" })),
});

type Result<Answer> = Answer extends TSchema ? Values<Answer> : unknown;

/**
 * One endpoint of the sandbox. The routes of the server, the checks of body and query, the roles, the types of the handler and the
 * OpenAPI description all come from it.
 */
export interface SandboxRoute<
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Answer extends TSchema | FileAnswer | null = TSchema | FileAnswer | null,
> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With `{name}` for a variable part. */
  readonly path: string;
  readonly tag:
    | "Session"
    | "Alarms"
    | "Clock"
    | "Credentials"
    | "Faults"
    | "Checkpoints"
    | "Results"
    | "Training"
    | "Drills"
    | "Clients";
  readonly summary: string;
  readonly callers: SandboxCallers;
  /** Absent: no parameters. */
  readonly query?: Query;
  /** Of a POST or PUT; absent: `{}` or none. */
  readonly body?: Body;
  /** Checks what the schema cannot say, and reports at the checker. */
  checkBody?(checker: DocumentChecker, body: Static<Body>, session: Session): void;
  readonly bodyExamples?: (values: SandboxExamples) => Readonly<Record<string, unknown>>;
  /** Example of the variable part of the path. */
  readonly pathExample?: (values: SandboxExamples) => string | null;
  /** `null`: 204, without a body. */
  readonly answer: Answer;
  /** Further error statuses than those that follow from the rest. */
  readonly errors?: readonly number[];
  handle(call: SandboxCall<Static<Body>, Static<Query>>): Result<Answer> | Promise<Result<Answer>>;
}

/** An entry of the route table; the types of its handler follow from its schemas. */
export const sandboxRoute = <
  Body extends TSchema,
  Query extends TSchema,
  const Answer extends TSchema | FileAnswer | null,
>(
  route: SandboxRoute<Body, Query, Answer>,
): SandboxRoute => route;

/** The checked values of a body. @throws SessionRefusal  400 with the first wrong key */
export function readBody(
  { body: schema = NO_BODY, checkBody }: SandboxRoute,
  body: unknown,
  session: Session,
): unknown {
  if (typeof (body ?? {}) !== "object" || Array.isArray(body))
    throw new SessionRefusal(400, `Found ${formatValue(body)}, allowed a JSON object`);
  return readValues(schema, createSourceNode(body ?? {}, 0), (checker, values) =>
    checkBody?.(checker, values, session),
  );
}

/** The body of a command without parameters. */
export const NO_BODY = strictObject({}, { description: "An empty object, or no body" });

/** The checked values of a query. */
export function readQuery({ query: schema }: SandboxRoute, query: unknown): unknown {
  if (schema === undefined) return {};
  const entries: [string, MapEntry][] = [];
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value !== "string") throw new SessionRefusal(400, "Found it more than once, allowed once", name);
    entries.push([name, { keyPosition: 0, node: { kind: "scalar", position: 0, value, isUntyped: true } }]);
  }
  return readValues(schema, { kind: "map", position: 0, entries: new Map(entries) });
}

function readValues(
  schema: TSchema,
  root: SourceNode,
  check: (checker: DocumentChecker, values: unknown) => void = () => {},
): unknown {
  const checker = new DocumentChecker(new ErrorCollector());
  const origin = { file: "request", locate: () => ({ line: 0, column: 0 }) };
  const values = checkDocument(checker, schema, { root, origin });
  if (checker.errors.count === 0) check(checker, values);
  const [first] = checker.errors.errors;
  if (first !== undefined)
    throw new SessionRefusal(400, `Found ${first.found}, allowed ${first.allowed}`, first.keyPath || null);
  return values;
}
