import type { LocalText } from "../../base/language.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import type { HttpFaultAnswer, HttpFaultMatch } from "../../inputs/scenario/schema/httpFaultSchema.ts";
import type { LoggedRequest } from "../session/clients/requestLog.ts";
import { shownStatus } from "../session/clients/requestLog.ts";
import type { Session } from "../session/session.ts";
import { CLIENT_CHECK_TEXTS, type ClientCheck, type ClientRequest } from "./clientChecks.ts";
import type { ClientFigures } from "./gradedDrill.ts";

/** What the drill of a client program needs of its session. */
type ClientDrillSession = Pick<Session, "nowMs" | "httpFaults" | "requestLog" | "addListener">;

/** The call that is answered with 429, counted from 1: a share of a half hits the second of two. */
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
/** Maximum number of requests in the text of a check. */
const REQUESTS_MAX = 5;

const CONTROL_ROUTE = "/v1/vpp/{vpp_id}/control/active_power";
const TELEMETRY_ROUTE = "/v1/vpp/{vpp_id}/telemetry";
const VPP_CALLS: HttpFaultMatch = { api: "vpp-v1" };
const COMMANDS: HttpFaultMatch = { ...VPP_CALLS, method: "POST", route: CONTROL_ROUTE };

/**
 * The integrator's drill: hits the requests of a client program with HTTP faults, as networks and limits do, and checks how the
 * program behaves (docs/model/drills.md#client).
 */
export class ClientDrill {
  private readonly startMs: EpochMs;
  /** Calls of the VPP API but telemetry. */
  private readonly calls: LoggedRequest[] = [];
  private readonly connections: LoggedRequest[] = [];
  private readonly signIns: LoggedRequest[] = [];
  private expiryId: string | null = null;
  private cutMs: EpochMs | null = null;

  constructor(startMs: EpochMs) {
    this.startMs = startMs;
  }

  /** Begins the faults of a session whose servers are not listening yet, and watches its clients. */
  async attach(session: ClientDrillSession): Promise<void> {
    const { httpFaults, requestLog } = session;
    const begin = (match: HttpFaultMatch, answer: HttpFaultAnswer) =>
      httpFaults.begin({ match, answer, durationMs: null });
    // Those of a session that this one continues.
    await httpFaults.endAll();
    const limit = await begin({ ...VPP_CALLS, share: 1 / LIMITED_CALL }, { status: 429, retry_after_s: RETRY_AFTER_S });
    let loss = await begin({ ...COMMANDS, next: 1 }, { cut: "after" });
    requestLog.onEntry((entry) => {
      this.record(entry);
      if (entry.httpFaultId === limit.id) inBackground(httpFaults.end(limit.id));
      // The answer of a refused command is no loss.
      if (entry.httpFaultId === loss.id && entry.status !== 200)
        inBackground(begin({ ...COMMANDS, next: 1 }, { cut: "after" }).then((next) => (loss = next)));
    });
    const steps = [
      {
        atMs: this.startMs + EXPIRY_AFTER_MS,
        act: () => begin({ ...VPP_CALLS, next: 1 }, { token: "expired" }).then(({ id }) => (this.expiryId = id)),
      },
      {
        atMs: this.startMs + CUT_AFTER_MS,
        act: () => {
          this.cutMs = session.nowMs;
          return begin({ route: TELEMETRY_ROUTE }, { cut: "before" }).then(({ id }) => httpFaults.end(id));
        },
      },
    ];
    session.addListener({
      observer: {},
      nextTickMs: (afterMs) => Math.min(...steps.filter(({ atMs }) => afterMs < atMs).map(({ atMs }) => atMs)),
      onSettled: (nowMs) => {
        while (steps.length > 0 && steps[0].atMs <= nowMs) inBackground(steps.shift()?.act());
      },
      onClock: () => {},
      onFault: () => {},
      onRewound: () => {},
      onRevoked: () => {},
    });
  }

  /** The number of failed checks, and the checks. */
  figures(): ClientFigures {
    const checks = this.checks();
    return { checks: checks.length, failed: checks.filter(({ isPassed }) => !isPassed).length, list: checks };
  }

  private record(entry: LoggedRequest): void {
    if (entry.api === "auth") this.signIns.push(entry);
    else if (entry.route === TELEMETRY_ROUTE) {
      if (entry.status === 101) this.connections.push(entry);
    } else if (entry.api === "vpp-v1") this.calls.push(entry);
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
    return check({ name: "signed_in", isPassed, requests: this.signIns.map((call) => seen(call)) });
  }

  private commandChecks(): ClientCheck[] {
    const controls = this.calls.filter(({ method, route }) => method === COMMANDS.method && route === COMMANDS.route);
    const keyless = controls.filter(({ idempotencyKey }) => idempotencyKey === null);
    const accepted = controls.filter(({ status, isReplayed }) => status === 200 && !isReplayed);
    const lost = controls.findIndex(({ status, isAnswerLost }) => status === 200 && isAnswerLost);
    const [unanswered, ...later] = lost < 0 ? [] : controls.slice(lost);
    const lostKey = unanswered?.idempotencyKey ?? null;
    const isRepeated = lostKey !== null && later.some(({ idempotencyKey }) => idempotencyKey === lostKey);
    return [
      check({
        name: "key_on_commands",
        isPassed: controls.length > 0 && keyless.length === 0,
        requests: keyless.map(withKey),
      }),
      check({ name: "one_instruction", isPassed: accepted.length === 1, requests: controls.map(withKey) }),
      check({
        name: "same_key_after_lost_answer",
        isPassed: isRepeated,
        requests: lost < 0 ? [] : controls.slice(lost).map(withKey),
      }),
    ];
  }

  /** The next call came after the time that the 429 named. */
  private waitedAfter429(): ClientCheck {
    const at = this.calls.findIndex(({ status }) => status === 429);
    if (at < 0) return check({ name: "waited_after_429", isPassed: false, requests: [] });
    const [limited, next] = this.calls.slice(at, at + 2);
    const { atMs: limitedMs } = limited;
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
    const at = this.calls.findIndex(({ httpFaultId }) => httpFaultId !== null && httpFaultId === this.expiryId);
    if (at < 0) return check({ name: "new_token_after_498", isPassed: false, requests: [] });
    const { atMs: expiredMs } = this.calls[at];
    const refused = this.calls.filter(({ status }) => status === 498);
    const after = this.calls.slice(at).find(({ status }) => status !== 498 && status !== 401);
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
    const reads = this.calls.filter(({ method }) => method === "GET");
    const inTime = reads.filter(({ atMs }) => fromMs <= atMs && atMs < toMs);
    const isPassed = inTime.some(({ status }) => status === 200);
    // Without a read in time, the last read shows when the client stopped.
    const shown = inTime.length > 0 ? inTime : reads.slice(-1);
    return check({ name: "read_after_redispatch", isPassed, requests: shown.map((call) => seen(call)) });
  }

  private resumedTelemetry(): ClientCheck {
    const cutMs = this.cutMs;
    const back = this.connections.find(({ atMs }) => cutMs !== null && cutMs <= atMs);
    const isPassed = cutMs !== null && back !== undefined && isResumed(back) && back.atMs < cutMs + BACK_WITHIN_MS;
    const requests = this.connections.map((connection): ClientRequest => {
      const detail = isResumed(connection)
        ? { en: "with session and last_seq", ja: "session と last_seq あり" }
        : { en: "without session and last_seq", ja: "session と last_seq なし" };
      return { ...seen(connection, detail), request: "WebSocket /v1/vpp/{id}/telemetry" };
    });
    return check({ name: "resumed_telemetry", isPassed, requests: requests.slice(-REQUESTS_MAX) });
  }
}

/** As docs/model/drills.md lists them. */
const CHECK_ORDER = Object.keys(CLIENT_CHECK_TEXTS);

const check = (found: ClientCheck): ClientCheck => ({ ...found, requests: found.requests.slice(0, REQUESTS_MAX) });

/** Whether a connection continues an earlier one. */
const isResumed = ({ path }: LoggedRequest): boolean => /[?&]session=/.test(path) && /[?&]last_seq=/.test(path);

/** Method and path without the id, which is long and the same in all requests. */
const seen = (call: LoggedRequest, detail: LocalText | null = null): ClientRequest => ({
  atMs: call.atMs,
  request: `${call.method} ${call.path.split("?")[0].replace(/^\/v1\/vpp\/[^/]+/, "/v1/vpp/{id}")}`,
  status: shownStatus(call),
  detail,
});

/** A failed journal has failed the session. */
const inBackground = (work: Promise<unknown> | undefined): void => void work?.catch(() => {});

const withKey = (call: LoggedRequest): ClientRequest =>
  seen(
    call,
    call.idempotencyKey === null
      ? { en: "without Idempotency-Key", ja: "Idempotency-Key なし" }
      : { en: `Idempotency-Key ${call.idempotencyKey}`, ja: `Idempotency-Key ${call.idempotencyKey}` },
  );
