import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../base/time.ts";
import type { ClientFigures } from "../drill/gradedDrill.ts";
import { refusalAnswer } from "../endpoints/shared/envelope.ts";
import { sendAnswer } from "./reply.ts";

/** What the drill of a client program needs of its session. */
interface ClientDrillClock {
  readonly nowMs: EpochMs;
}

/** A call of the VPP API, as the server saw it. */
interface SeenCall {
  readonly atMs: EpochMs;
  readonly isControl: boolean;
  readonly isRead: boolean;
  readonly token: string;
  readonly key: string | null;
  /** `null`: the connection ended without an answer. */
  status: number | null;
}

/** Call that is answered with 429, counted from 1. */
const LIMITED_CALL = 2;
/** Simulated seconds that the 429 asks the client to wait. */
const RETRY_AFTER_S = 20;
/** The token of the first call from here on expires. */
const EXPIRY_AFTER_MS = 100 * MS_PER_SECOND;
/** From here to there the client must read what was dispatched after the outage. */
const REDISPATCH_MS = [3 * MS_PER_MINUTE, 5 * MS_PER_MINUTE] as const;
/** Telemetry connections are cut here. */
const CUT_AFTER_MS = 4 * MS_PER_MINUTE;
/** Simulated time within which a client must be back, by a new token or a new connection. */
const BACK_WITHIN_MS = MS_PER_MINUTE;
/** Real milliseconds between looks at the clock. */
const POLL_MS = 20;

/**
 * The integrator's drill: disturbs the connection of a client program as networks and limits do, and checks how the program
 * behaves (docs/model/drills.md#client).
 */
export class ClientDrill {
  readonly #startMs: EpochMs;
  readonly #calls: SeenCall[] = [];
  readonly #expiredTokens = new Set<string>();
  readonly #connections: { readonly atMs: EpochMs; readonly isResumed: boolean; readonly stream: Duplex }[] = [];
  #signInCount = 0;
  #limitedMs: EpochMs | null = null;
  #expiredMs: EpochMs | null = null;
  #lost: SeenCall | null = null;
  #cutMs: EpochMs | null = null;
  /** Distinct commands that were accepted. */
  #acceptedCount = 0;

  constructor(startMs: EpochMs) {
    this.#startMs = startMs;
  }

  /** Watches the two servers, which must not be listening yet. */
  attach(
    { base, auth }: { readonly base: FastifyInstance; readonly auth: FastifyInstance },
    clock: ClientDrillClock,
  ): void {
    const seen = new WeakMap<FastifyRequest, SeenCall>();
    auth.addHook("onResponse", (_request, reply, done) => {
      if (reply.statusCode === 200) this.#signInCount++;
      done();
    });
    base.addHook("onRequest", (request, reply, done) => {
      const id = /^\/v1\/vpp\/([^/]+)\//.exec(request.url)?.[1];
      if (id === undefined || request.headers.upgrade !== undefined) return done();
      const call = this.#record(request, clock.nowMs);
      seen.set(request, call);
      if (this.#disturb(call, id, reply)) return;
      done();
    });
    base.addHook("onSend", (request, reply, payload, done) => {
      const call = seen.get(request);
      if (call === undefined) return done(null, payload);
      call.status = reply.statusCode;
      if (call.isControl && reply.statusCode === 200) this.#accepted(call, request);
      done(null, payload);
    });
    base.server.on("upgrade", (request: IncomingMessage, stream: Duplex) => {
      const isResumed = /[?&]session=/.test(request.url ?? "") && /[?&]last_seq=/.test(request.url ?? "");
      this.#connections.push({ atMs: clock.nowMs, isResumed, stream });
    });
    // not simulated: the connection is cut when the simulated clock has passed the instant
    const timer = setInterval(() => this.#cutIfDue(clock.nowMs), POLL_MS);
    timer.unref();
    base.addHook("onClose", (_server, done) => {
      clearInterval(timer);
      done();
    });
  }

  /** What the program got wrong; every check counts one. */
  figures(): ClientFigures {
    const checks = this.#checks();
    return { checks: checks.length, mistakes: checks.filter(({ isPassed }) => !isPassed).length, list: checks };
  }

  #record({ method, url, headers }: FastifyRequest, atMs: EpochMs): SeenCall {
    const key = headers["idempotency-key"];
    const call: SeenCall = {
      atMs,
      isControl: method === "POST" && /\/control\/active_power$/.test(url.split("?")[0]),
      isRead: method === "GET",
      token: headers.authorization ?? "",
      key: typeof key === "string" ? key : null,
      status: null,
    };
    this.#calls.push(call);
    return call;
  }

  /** @returns whether the call has been answered */
  #disturb(call: SeenCall, id: string, reply: FastifyReply): boolean {
    const { atMs, token } = call;
    if (this.#calls.length === LIMITED_CALL) {
      this.#limitedMs = atMs;
      const details = `Too many requests; retry after ${RETRY_AFTER_S} s`;
      this.#refuse(call, id, reply, { kind: "rate_limit_exceeded", details });
      return true;
    }
    if (this.#expiredMs === null && this.#startMs + EXPIRY_AFTER_MS <= atMs) {
      this.#expiredMs = atMs;
      this.#expiredTokens.add(token);
    }
    if (!this.#expiredTokens.has(token)) return false;
    this.#refuse(call, id, reply, { kind: "token_expired", details: "The access token has expired" });
    return true;
  }

  #refuse(
    { atMs }: SeenCall,
    id: string,
    reply: FastifyReply,
    refusal: { readonly kind: "rate_limit_exceeded" | "token_expired"; readonly details: string },
  ): void {
    const request = { api: "vpp-v1" as const, id, method: "GET", path: "/", query: {}, body: undefined };
    const answer = refusalAnswer(request, refusal, atMs);
    sendAnswer(reply, refusal.kind === "token_expired" ? answer : { ...answer, retryAfterS: RETRY_AFTER_S });
  }

  /** The first answer to an accepted command is lost on its way. */
  #accepted(call: SeenCall, request: FastifyRequest): void {
    const isRetry =
      call.key !== null &&
      this.#calls.some((other) => other !== call && other.isControl && other.key === call.key && other.status === 200);
    if (!isRetry) this.#acceptedCount++;
    if (this.#lost !== null) return;
    this.#lost = call;
    request.raw.socket.destroy();
  }

  #cutIfDue(nowMs: EpochMs): void {
    if (this.#cutMs !== null || nowMs < this.#startMs + CUT_AFTER_MS) return;
    this.#cutMs = nowMs;
    for (const { stream } of this.#connections) stream.destroy();
  }

  #checks(): ClientFigures["list"] {
    const controls = this.#calls.filter(({ isControl }) => isControl);
    const lost = this.#lost;
    const cutMs = this.#cutMs;
    const [fromMs, toMs] = REDISPATCH_MS;
    const back = this.#connections.find(({ atMs }) => cutMs !== null && cutMs <= atMs);
    return [
      { name: "signed_in", isPassed: this.#signInCount > 0 },
      { name: "key_on_commands", isPassed: controls.length > 0 && controls.every(({ key }) => key !== null) },
      { name: "one_instruction", isPassed: this.#acceptedCount === 1 },
      { name: "waited_after_429", isPassed: this.#hasWaited() },
      { name: "new_token_after_498", isPassed: this.#hasNewToken() },
      {
        name: "same_key_after_lost_answer",
        isPassed:
          lost !== null &&
          lost.key !== null &&
          controls.slice(controls.indexOf(lost) + 1).some(({ key }) => key === lost.key),
      },
      {
        name: "read_after_redispatch",
        isPassed: this.#calls.some(
          ({ atMs, isRead, status }) =>
            isRead && status === 200 && this.#startMs + fromMs <= atMs && atMs < this.#startMs + toMs,
        ),
      },
      {
        name: "resumed_telemetry",
        isPassed: cutMs !== null && back?.isResumed === true && back.atMs < cutMs + BACK_WITHIN_MS,
      },
    ];
  }

  /** The next call came after the time that the 429 named. */
  #hasWaited(): boolean {
    const limitedMs = this.#limitedMs;
    if (limitedMs === null) return false;
    const next = this.#calls[LIMITED_CALL];
    return next !== undefined && limitedMs + RETRY_AFTER_S * MS_PER_SECOND <= next.atMs;
  }

  /** At most one call with the expired token, then one with another in time. */
  #hasNewToken(): boolean {
    const expiredMs = this.#expiredMs;
    if (expiredMs === null) return false;
    const expired = this.#calls.filter(({ token }) => this.#expiredTokens.has(token));
    const after = this.#calls.find(({ atMs, token }) => expiredMs <= atMs && !this.#expiredTokens.has(token));
    const refused = expired.filter(({ status }) => status === 498);
    return refused.length <= 2 && after !== undefined && after.atMs < expiredMs + BACK_WITHIN_MS;
  }
}
