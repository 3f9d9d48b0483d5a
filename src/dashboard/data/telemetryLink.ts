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
}

export interface TelemetryOptions {
  /** Address of the subscription, `ws://…/telemetry`. */
  readonly url: string;
  readonly accessToken: () => Promise<string>;
  /** After each message that says that something changed, and after a reconnect. */
  readonly onChange: (message: TelemetryMessage) => void;
  /** Opens a socket; tests supply their own. */
  readonly open?: (url: string, protocols: string[]) => WebSocket;
}

/** All but `status`, which repeats at an interval: the page reads values with the sandbox's reads. */
const TYPES = ["member_status", "schedule", "instruction", "fault", "clock"];

const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000];

/** Reads the telemetry of one VPP, and opens the connection again when it ends. */
export class TelemetryLink {
  readonly state = new Observable<TelemetryState>({ isOpen: false, lastSeq: 0, missed: 0, reconnects: 0 });
  readonly #options: TelemetryOptions;
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #failures = 0;
  #wasOpen = false;
  #isClosed = false;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    void this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#socket?.close();
  }

  async #connect(): Promise<void> {
    const { url, accessToken, open = (address, protocols) => new WebSocket(address, protocols) } = this.#options;
    try {
      const token = await accessToken();
      if (this.#isClosed) return;
      const socket = open(url, ["bearer", token]);
      this.#socket = socket;
      socket.onopen = () => socket.send(JSON.stringify({ type: "subscribe", types: TYPES }));
      socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)) as TelemetryMessage);
      socket.onclose = () => this.#reconnectLater();
    } catch {
      this.#reconnectLater();
    }
  }

  #receive(message: TelemetryMessage): void {
    const last = this.state.get();
    if (message.type === "hello") {
      const reconnects = last.reconnects + (this.#wasOpen && !last.isOpen ? 1 : 0);
      this.#failures = 0;
      this.#wasOpen = true;
      this.state.set({ ...last, isOpen: true, lastSeq: message.seq, reconnects });
    } else {
      const gap = gapOf(message);
      const missed = last.missed + Math.max(0, message.seq - last.lastSeq - 1) + (gap?.dropped ?? 0);
      this.state.set({ ...last, lastSeq: gap === null ? message.seq : gap.next_seq - 1, missed });
    }
    this.#options.onChange(message);
  }

  #reconnectLater(): void {
    this.state.set({ ...this.state.get(), isOpen: false });
    if (this.#isClosed) return;
    const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures++, RETRY_DELAYS_MS.length - 1)];
    this.#timer = setTimeout(() => void this.#connect(), delayMs);
  }
}

interface Gap {
  readonly dropped: number;
  readonly next_seq: number;
}

/** Messages that the server dropped, because the page was too slow. */
const gapOf = ({ type, data }: TelemetryMessage): Gap | null => (type === "gap" ? (data as Gap) : null);
