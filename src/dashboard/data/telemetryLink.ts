import { Observable } from "./observable.ts";

/** State of one telemetry subscription. */
export interface TelemetryState {
  readonly isOpen: boolean;
  /** Number of the last message of this subscription. */
  readonly lastSeq: number;
  /** Messages that did not arrive, of all subscriptions so far. */
  readonly missed: number;
  /** How often the connection was opened again. */
  readonly reconnects: number;
}

export interface TelemetryMessage {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
  /** Of a `hello`: for a resumption. */
  readonly session?: string;
}

interface TelemetryOptions {
  /** Address of the subscription, `ws://…/telemetry`. */
  readonly url: string;
  readonly accessToken: () => Promise<string>;
  /** After the server closed the connection because the token expired. */
  readonly renewToken: () => Promise<unknown>;
  /** A message says that something changed. */
  readonly onMessage: (message: TelemetryMessage) => void;
  /** The connection was lost and is open again. */
  readonly onReconnect: () => void;
  /** Opens a socket; tests supply their own. */
  readonly open?: (url: string, protocols: string[]) => WebSocket;
}

/** All but `status`, which repeats at an interval: the page reads values with the sandbox's reads. */
const TYPES = ["member_status", "schedule", "instruction", "fault", "clock"];

const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000];

/** Close code of an expired token. */
const TOKEN_EXPIRED = 4498;

/**
 * Reads the telemetry of one VPP. When the connection ends, it is opened again and resumed after the last number, so that
 * no message is lost; what the server no longer has is counted as missed.
 */
export class TelemetryLink {
  readonly state = new Observable<TelemetryState>({ isOpen: false, lastSeq: 0, missed: 0, reconnects: 0 });
  private readonly options: TelemetryOptions;
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private failures = 0;
  /** Of the last `hello`. */
  private session: string | null = null;
  private isClosed = false;

  constructor(options: TelemetryOptions) {
    this.options = options;
    void this.connect();
  }

  close(): void {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.socket?.close();
  }

  private async connect(): Promise<void> {
    const { accessToken, open = (address, protocols) => new WebSocket(address, protocols) } = this.options;
    try {
      const token = await accessToken();
      if (this.isClosed) return;
      const socket = open(this.url(), ["bearer", token]);
      this.socket = socket;
      socket.onopen = () => this.onOpen(socket);
      socket.onmessage = ({ data }) => this.receive(JSON.parse(String(data)) as TelemetryMessage);
      socket.onclose = ({ code }) => this.onClose(code);
    } catch {
      this.reconnectLater();
    }
  }

  private url(): string {
    const { url } = this.options;
    if (this.session === null) return url;
    return `${url}?session=${encodeURIComponent(this.session)}&last_seq=${this.state.get().lastSeq}`;
  }

  private onOpen(socket: WebSocket): void {
    const last = this.state.get();
    const isAgain = this.session !== null;
    this.failures = 0;
    this.state.set({ ...last, isOpen: true, reconnects: last.reconnects + (isAgain ? 1 : 0) });
    socket.send(JSON.stringify({ type: "subscribe", types: TYPES }));
    if (isAgain) this.options.onReconnect();
  }

  private receive(message: TelemetryMessage): void {
    const last = this.state.get();
    if (message.type === "hello") {
      this.session = message.session ?? null;
      this.state.set({ ...last, lastSeq: message.seq });
    } else {
      const gap = gapOf(message);
      const missed = last.missed + Math.max(0, message.seq - last.lastSeq - 1) + (gap?.dropped ?? 0);
      this.state.set({ ...last, lastSeq: gap === null ? message.seq : gap.next_seq - 1, missed });
    }
    this.options.onMessage(message);
  }

  private async onClose(code: number): Promise<void> {
    this.state.set({ ...this.state.get(), isOpen: false });
    // A failure shows at the next attempt.
    if (code === TOKEN_EXPIRED && !this.isClosed) await this.options.renewToken().catch(() => {});
    this.reconnectLater();
  }

  private reconnectLater(): void {
    if (this.isClosed) return;
    const delayMs = RETRY_DELAYS_MS[Math.min(this.failures++, RETRY_DELAYS_MS.length - 1)];
    this.timer = setTimeout(() => void this.connect(), delayMs);
  }
}

interface Gap {
  readonly dropped: number;
  readonly next_seq: number;
}

/** Messages that the server dropped, because the page was too slow, or no longer keeps. */
const gapOf = ({ type, data }: TelemetryMessage): Gap | null => (type === "gap" ? (data as Gap) : null);
