import { type Language, type LocalText, textIn } from "../../base/language.ts";
import type { EpochMs } from "../../base/time.ts";

/** A request of a client program, as the server received it. */
export interface ClientRequest {
  readonly atMs: EpochMs;
  /** Method and path, such as `GET /v1/vpp/{id}/status`. */
  readonly request: string;
  /** `null`: the connection ended without an answer. */
  readonly status: number | null;
  /** A further detail of the request that matters to the check; `null`: none. */
  readonly detail: LocalText | null;
}

export type ClientCheckName = keyof typeof CLIENT_CHECK_TEXTS;

/** One check of a client program (docs/model/drills.md#client). */
export interface ClientCheck {
  readonly name: ClientCheckName;
  readonly isPassed: boolean;
  /** The requests that decided the check, oldest first; empty if the program sent no such request. */
  readonly requests: readonly ClientRequest[];
}

/** A request in one line without its time: `GET /v1/vpp/{id}/status: 429, 3 s after …`. */
export function clientRequestText({ request, status, detail }: ClientRequest, language: Language): string {
  const answer = status === null ? textIn(NO_ANSWER, language) : String(status);
  const more = detail === null ? "" : `${language === "ja" ? "、" : ", "}${textIn(detail, language)}`;
  return `${request}: ${answer}${more}`;
}

const NO_ANSWER: LocalText = { en: "no answer", ja: "応答なし" };

interface CheckText {
  readonly title: LocalText;
  readonly expected: LocalText;
  /** What a program must do to pass. */
  readonly toPass: LocalText;
}

export const CLIENT_CHECK_TEXTS = {
  signed_in: {
    title: { en: "Sign in", ja: "サインイン" },
    expected: {
      en: "The client gets an access token with its refresh token.",
      ja: "クライアントはリフレッシュトークンでアクセストークンを取得する。",
    },
    toPass: {
      en: "POST VPPSIM_AUTH_URL/auth/refresh with Authorization: Bearer VPPSIM_REFRESH_TOKEN.",
      ja: "Authorization: Bearer VPPSIM_REFRESH_TOKEN を付けて VPPSIM_AUTH_URL/auth/refresh に POST する。",
    },
  },
  key_on_commands: {
    title: { en: "A key on each command", ja: "コマンドのキー" },
    expected: {
      en: "The client sends a control command, and each one has an Idempotency-Key.",
      ja: "クライアントは制御コマンドを送り、すべてに Idempotency-Key を付ける。",
    },
    toPass: {
      en: "Make one key for the instruction, and send it in the header Idempotency-Key of each attempt.",
      ja: "指令ごとにキーを1つ作り、毎回 Idempotency-Key ヘッダーで送る。",
    },
  },
  one_instruction: {
    title: { en: "One instruction", ja: "指令は1つ" },
    expected: {
      en: "Exactly one control command is accepted; repetitions with its key do not count.",
      ja: "受け付けられる制御コマンドはちょうど1つ。同じキーの再送は数えない。",
    },
    toPass: {
      en: "Send the command until it is answered, each time with the same key and body; then send no other.",
      ja: "応答があるまで同じキーと本文で送り、その後は別のコマンドを送らない。",
    },
  },
  waited_after_429: {
    title: { en: "Wait after 429", ja: "429の後の待機" },
    expected: {
      en: "After the 429 the next call comes when Retry-After is over: 20 simulated seconds later or more.",
      ja: "429の後、次の呼び出しは Retry-After（模擬時間20秒）の経過後に行う。",
    },
    toPass: {
      en: "Read Retry-After of the answer, and send nothing before it is over; with --speed it is real seconds times the speed.",
      ja: "応答の Retry-After を読み、経過するまで何も送らない。--speed では実時間の秒数に速度を掛けた値で数える。",
    },
  },
  new_token_after_498: {
    title: { en: "A new token after 498", ja: "498の後の新しいトークン" },
    expected: {
      en: "At most two calls are refused with 498, and within a minute one comes with a new token.",
      ja: "498で拒否される呼び出しは2回まで。1分以内に新しいトークンで呼び出す。",
    },
    toPass: {
      en: "At a 498, get a token with the refresh token, then repeat the call.",
      ja: "498の応答でリフレッシュトークンから新しいトークンを取得し、呼び出しを繰り返す。",
    },
  },
  same_key_after_lost_answer: {
    title: { en: "The same key after a lost answer", ja: "応答が失われた後の同じキー" },
    expected: {
      en: "The command whose answer was lost comes again with its key.",
      ja: "応答が失われたコマンドを、同じキーで再送する。",
    },
    toPass: {
      en: "When a connection ends without an answer, send the same command again with the same Idempotency-Key.",
      ja: "応答なしに接続が切れたら、同じ Idempotency-Key で同じコマンドを再送する。",
    },
  },
  read_after_redispatch: {
    title: { en: "A read after the re-dispatch", ja: "再指令後の読み取り" },
    expected: {
      en: "A read between 3 and 5 minutes after the start is answered with 200: the outage changed what is dispatched.",
      ja: "開始3分から5分の間の読み取りに200で応答がある。停止により指令内容が変わるため。",
    },
    toPass: {
      en: "Read the status or the schedules of the VPP when telemetry shows a change, or once a minute.",
      ja: "テレメトリーで変化を知ったとき、または1分に1回、VPPの状態かスケジュールを読む。",
    },
  },
  resumed_telemetry: {
    title: { en: "Telemetry resumed without a gap", ja: "欠落のないテレメトリー再開" },
    expected: {
      en: "After the cut, 4 minutes after the start, the client is back within a minute, with session and last_seq.",
      ja: "開始4分後の切断から1分以内に、session と last_seq を付けて再接続する。",
    },
    toPass: {
      en: "Remember session and seq of the messages, and connect again with ?session=…&last_seq=… when the connection ends.",
      ja: "メッセージの session と seq を控え、切断後に ?session=…&last_seq=… を付けて再接続する。",
    },
  },
} as const satisfies Record<string, CheckText>;
