import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { LocalText } from "../../base/language.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import { CLIENT_CHECK_TEXTS, type ClientCheck, type ClientRequest } from "../../live/drill/clientChecks.ts";
import type { ClientFigures } from "../../live/drill/gradedDrill.ts";
import type { ClockRecord } from "../../live/session/sandboxCommands.ts";
import { findRoute } from "../endpoints/routes.ts";
import { type ApiRefusal, refusalAnswer } from "../endpoints/shared/envelope.ts";
import { tokenExpiredRefusal } from "./admission.ts";
import { BUCKET_LIMITS, type RateState, rateLimitRefusal } from "./limits/rateLimits.ts";
import { locateRequest } from "./paths.ts";
import { echoRequestId, rateHeaders, sendAnswer } from "./reply.ts";

/** What the drill of a client program needs of its session. */
interface ClientDrillClock {
  readonly nowMs: EpochMs;
  clock(): ClockRecord;
}

/** A call of the VPP API, as the server saw it. */
interface SeenCall {
  readonly atMs: EpochMs;
  /** Method and path. */
  readonly request: string;
  readonly isControl: boolean;
  readonly isRead: boolean;
  readonly token: string;
  readonly key: string | null;
  /** `null`: the connection ended without an answer. */
  status: number | null;
  /** Whether the drill ended the connection before the answer. */
  isAnswerLost: boolean;
}

/** A refusal of the drill, with the rate limit in its headers. */
interface Disturbance {
  readonly refusal: ApiRefusal;
  readonly rate: RateState;
}

/** Call that is answered with 429, counted from 1. */
const LIMITED_CALL = 2;
/** Simulated seconds that the 429 asks the client to wait. */
const RETRY_AFTER_S = 20;
/** When tokens expire, from the start of the drill: that of the first call after this instant. */
const EXPIRY_AFTER_MS = 100 * MS_PER_SECOND;
/** The period, from the start of the drill, in which the client must read the re-dispatch after the outage. */
const REDISPATCH_MS = [3 * MS_PER_MINUTE, 5 * MS_PER_MINUTE] as const;
/** When telemetry connections are cut, from the start of the drill. */
const CUT_AFTER_MS = 4 * MS_PER_MINUTE;
/** Simulated time within which a client must call with a new token or open a new connection. */
const BACK_WITHIN_MS = MS_PER_MINUTE;
/** Real milliseconds between reads of the clock. */
const POLL_MS = 20;
/** Maximum number of requests in the text of a check. */
const REQUESTS_MAX = 5;

/**
 * The integrator's drill: disturbs the connection of a client program as networks and limits do, and checks how the program
 * behaves (docs/model/drills.md#client).
 */
export class ClientDrill {
  private readonly startMs: EpochMs;
  private readonly calls: SeenCall[] = [];
  private readonly expiredTokens = new Set<string>();
  private readonly connections: { readonly atMs: EpochMs; readonly isResumed: boolean; readonly stream: Duplex }[] = [];
  private readonly signIns: ClientRequest[] = [];
  private limitedMs: EpochMs | null = null;
  private expiredMs: EpochMs | null = null;
  private unanswered: SeenCall | null = null;
  private cutMs: EpochMs | null = null;
  /** Distinct commands that were accepted. */
  private acceptedCount = 0;

  constructor(startMs: EpochMs) {
    this.startMs = startMs;
  }

  /** Watches the two servers, which must not be listening yet. */
  attach(
    { base, auth }: { readonly base: FastifyInstance; readonly auth: FastifyInstance },
    clock: ClientDrillClock,
  ): void {
    const seen = new WeakMap<FastifyRequest, SeenCall>();
    auth.addHook("onResponse", (request, { statusCode }, done) => {
      this.signIns.push({ atMs: clock.nowMs, request: requestName(request), status: statusCode, detail: null });
      done();
    });
    base.addHook("onRequest", (request, reply, done) => {
      const location = locateRequest(request.url);
      if (location?.api !== "vpp-v1" || request.headers.upgrade !== undefined) return done();
      const call = this.record(request, clock.nowMs);
      seen.set(request, call);
      const bucket = findRoute(location.api, request.method, location.path)?.route.rateBucket ?? "reference";
      const refused = this.disturb(call, BUCKET_LIMITS[bucket], clock);
      if (refused === null) return done();
      reply.headers(rateHeaders(refused.rate, call.atMs));
      echoRequestId(request.raw, reply);
      sendAnswer(reply, refusalAnswer(location, refused.refusal, call.atMs));
    });
    base.addHook("onSend", (request, reply, payload, done) => {
      const call = seen.get(request);
      if (call === undefined) return done(null, payload);
      call.status = reply.statusCode;
      if (call.isControl && reply.statusCode === 200) this.accepted(call, request);
      done(null, payload);
    });
    base.server.on("upgrade", (request: IncomingMessage, stream: Duplex) => {
      const isResumed = /[?&]session=/.test(request.url ?? "") && /[?&]last_seq=/.test(request.url ?? "");
      this.connections.push({ atMs: clock.nowMs, isResumed, stream });
    });
    // not simulated: the connection is cut when the simulated clock has passed the instant
    const timer = setInterval(() => this.cutIfDue(clock.nowMs), POLL_MS);
    timer.unref();
    base.addHook("onClose", (_server, done) => {
      clearInterval(timer);
      done();
    });
  }

  /** The number of failed checks, and the checks. */
  figures(): ClientFigures {
    const checks = this.checks();
    return { checks: checks.length, failed: checks.filter(({ isPassed }) => !isPassed).length, list: checks };
  }

  private record({ method, url, headers }: FastifyRequest, atMs: EpochMs): SeenCall {
    const key = headers["idempotency-key"];
    const call: SeenCall = {
      atMs,
      request: requestName({ method, url }),
      isControl: method === "POST" && /\/control\/active_power$/.test(url.split("?")[0]),
      isRead: method === "GET",
      token: headers.authorization ?? "",
      key: typeof key === "string" ? key : null,
      status: null,
      isAnswerLost: false,
    };
    this.calls.push(call);
    return call;
  }

  /** @param limit  of the called endpoint's bucket @returns what the call is refused with; `null`: nothing */
  private disturb({ atMs, token }: SeenCall, limit: number, clock: ClientDrillClock): Disturbance | null {
    if (this.calls.length === LIMITED_CALL) {
      this.limitedMs = atMs;
      const rate = { isAllowed: false, limit, remaining: 0, resetMs: atMs + RETRY_AFTER_S * MS_PER_SECOND };
      return { refusal: rateLimitRefusal(rate, atMs, clock.clock()), rate };
    }
    if (this.expiredMs === null && this.startMs + EXPIRY_AFTER_MS <= atMs) {
      this.expiredMs = atMs;
      this.expiredTokens.add(token);
    }
    if (this.expiredMs === null || !this.expiredTokens.has(token)) return null;
    const rate = { isAllowed: true, limit, remaining: limit, resetMs: atMs };
    return { refusal: tokenExpiredRefusal(this.expiredMs), rate };
  }

  /** The first answer to an accepted command is lost on its way. */
  private accepted(call: SeenCall, request: FastifyRequest): void {
    const isRetry =
      call.key !== null &&
      this.calls.some((other) => other !== call && other.isControl && other.key === call.key && other.status === 200);
    if (!isRetry) this.acceptedCount++;
    if (this.unanswered !== null) return;
    this.unanswered = call;
    call.isAnswerLost = true;
    request.raw.socket.destroy();
  }

  private cutIfDue(nowMs: EpochMs): void {
    if (this.cutMs !== null || nowMs < this.startMs + CUT_AFTER_MS) return;
    this.cutMs = nowMs;
    for (const { stream } of this.connections) stream.destroy();
  }

  private checks(): readonly ClientCheck[] {
    return [
      this.signedIn(),
      ...this.commandChecks(),
      this.waitedAfter429(),
      this.newTokenAfter498(),
      this.readAfterRedispatch(),
      this.resumedTelemetry(),
    ].sort((a, b) => CHECK_ORDER.indexOf(a.name) - CHECK_ORDER.indexOf(b.name));
  }

  private signedIn(): ClientCheck {
    const isPassed = this.signIns.some(({ status }) => status === 200);
    return check({ name: "signed_in", isPassed, requests: this.signIns });
  }

  private commandChecks(): ClientCheck[] {
    const controls = this.calls.filter(({ isControl }) => isControl);
    const keyless = controls.filter(({ key }) => key === null);
    const unanswered = this.unanswered;
    const later = unanswered === null ? [] : controls.slice(controls.indexOf(unanswered) + 1);
    const isRepeated =
      unanswered !== null && unanswered.key !== null && later.some(({ key }) => key === unanswered.key);
    return [
      check({
        name: "key_on_commands",
        isPassed: controls.length > 0 && keyless.length === 0,
        requests: keyless.map(withKey),
      }),
      check({ name: "one_instruction", isPassed: this.acceptedCount === 1, requests: controls.map(withKey) }),
      check({
        name: "same_key_after_lost_answer",
        isPassed: isRepeated,
        requests: unanswered === null ? [] : [unanswered, ...later].map(withKey),
      }),
    ];
  }

  /** The next call came after the time that the 429 named. */
  private waitedAfter429(): ClientCheck {
    const limitedMs = this.limitedMs;
    if (limitedMs === null) return check({ name: "waited_after_429", isPassed: false, requests: [] });
    const [limited, next] = this.calls.slice(LIMITED_CALL - 1, LIMITED_CALL + 1);
    if (next === undefined) return check({ name: "waited_after_429", isPassed: false, requests: [seen(limited)] });
    const waitedS = Math.floor((next.atMs - limitedMs) / MS_PER_SECOND);
    const isPassed = limitedMs + RETRY_AFTER_S * MS_PER_SECOND <= next.atMs;
    return check({
      name: "waited_after_429",
      isPassed,
      requests: [seen(limited), seen(next, { en: `${waitedS} s after the 429`, ja: `429の ${waitedS} 秒後` })],
    });
  }

  /** The client makes at most one call with the expired token, and then one with a new token in time. */
  private newTokenAfter498(): ClientCheck {
    const expiredMs = this.expiredMs;
    if (expiredMs === null) return check({ name: "new_token_after_498", isPassed: false, requests: [] });
    const refused = this.calls.filter(({ token, status }) => this.expiredTokens.has(token) && status === 498);
    const after = this.calls.find(({ atMs, token }) => expiredMs <= atMs && !this.expiredTokens.has(token));
    const isPassed = refused.length <= 2 && after !== undefined && after.atMs < expiredMs + BACK_WITHIN_MS;
    const renewed = after === undefined ? [] : [seen(after, { en: "with a new token", ja: "新しいトークン" })];
    return check({
      name: "new_token_after_498",
      isPassed,
      requests: [...refused.slice(0, REQUESTS_MAX - renewed.length).map((call) => seen(call)), ...renewed],
    });
  }

  private readAfterRedispatch(): ClientCheck {
    const [fromMs, toMs] = REDISPATCH_MS.map((offsetMs) => this.startMs + offsetMs);
    const reads = this.calls.filter(({ isRead }) => isRead);
    const inTime = reads.filter(({ atMs }) => fromMs <= atMs && atMs < toMs);
    const isPassed = inTime.some(({ status }) => status === 200);
    // Without a read in time, the last read shows when the client stopped.
    const shown = inTime.length > 0 ? inTime : reads.slice(-1);
    return check({ name: "read_after_redispatch", isPassed, requests: shown.map((call) => seen(call)) });
  }

  private resumedTelemetry(): ClientCheck {
    const cutMs = this.cutMs;
    const back = this.connections.find(({ atMs }) => cutMs !== null && cutMs <= atMs);
    const isPassed = cutMs !== null && back?.isResumed === true && back.atMs < cutMs + BACK_WITHIN_MS;
    const requests = this.connections.map(({ atMs, isResumed }): ClientRequest => {
      const detail = isResumed
        ? { en: "with session and last_seq", ja: "session と last_seq あり" }
        : { en: "without session and last_seq", ja: "session と last_seq なし" };
      return { atMs, request: "WebSocket /v1/vpp/{id}/telemetry", status: 101, detail };
    });
    return check({ name: "resumed_telemetry", isPassed, requests: requests.slice(-REQUESTS_MAX) });
  }
}

/** As docs/model/drills.md lists them. */
const CHECK_ORDER = Object.keys(CLIENT_CHECK_TEXTS);

const check = (found: ClientCheck): ClientCheck => ({ ...found, requests: found.requests.slice(0, REQUESTS_MAX) });

/** Method and path without the id, which is long and the same in all requests. */
const requestName = ({ method, url }: { readonly method: string; readonly url: string }): string =>
  `${method} ${url.split("?")[0].replace(/^\/v1\/vpp\/[^/]+/, "/v1/vpp/{id}")}`;

const seen = ({ atMs, request, status, isAnswerLost }: SeenCall, detail: LocalText | null = null): ClientRequest => ({
  atMs,
  request,
  status: isAnswerLost ? null : status,
  detail,
});

const withKey = (call: SeenCall): ClientRequest =>
  seen(
    call,
    call.key === null
      ? { en: "without Idempotency-Key", ja: "Idempotency-Key なし" }
      : { en: `Idempotency-Key ${call.key}`, ja: `Idempotency-Key ${call.key}` },
  );
