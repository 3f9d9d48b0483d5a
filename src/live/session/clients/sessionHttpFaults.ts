import type { EpochMs } from "../../../base/time.ts";
import type { JournalEntry } from "../journal/journalEntry.ts";
import {
  type FaultableRequest,
  type HttpFault,
  type HttpFaultBoard,
  type HttpFaultSpec,
  hitsLeft,
} from "./httpFaultBoard.ts";

interface HttpFaultContext {
  readonly board: HttpFaultBoard;
  readonly nowMs: () => EpochMs;
  /** Records an entry of the journal; resolves when it is on disk. */
  readonly append: (entry: JournalEntry) => Promise<void>;
}

/** Commands and reads of a session's HTTP faults (docs/model/sandbox.md#http-faults). */
export class SessionHttpFaults {
  private readonly context: HttpFaultContext;
  private readonly listeners: ((fault: HttpFault) => void)[] = [];

  constructor(context: HttpFaultContext) {
    this.context = context;
  }

  /** Those in force, oldest first. */
  get list(): readonly HttpFault[] {
    return this.context.board.inForce(this.context.nowMs());
  }

  /** Calls a listener with each fault that begins. */
  onBegin(listener: (fault: HttpFault) => void): void {
    this.listeners.push(listener);
  }

  /** Begins a fault now. */
  async begin(fault: HttpFaultSpec): Promise<HttpFault> {
    const written = this.context.append({ kind: "http_fault", at_ms: this.context.nowMs(), http_fault: fault });
    const begun = this.list.at(-1);
    if (begun !== undefined) for (const listener of this.listeners) listener(begun);
    await written;
    if (begun === undefined) throw new Error("an HTTP fault that begins is in force");
    return begun;
  }

  /** Ends a fault now. @returns whether it was in force */
  async end(id: string): Promise<boolean> {
    if (!this.list.some((fault) => fault.id === id)) return false;
    await this.appendEnd(id);
    return true;
  }

  async endAll(): Promise<void> {
    await Promise.all(this.list.map(({ id }) => this.appendEnd(id)));
  }

  /** The fault that hits a request, which is counted; `null`: none. */
  take(request: FaultableRequest): HttpFault | null {
    return this.counted(this.context.board.take(request, this.context.nowMs()));
  }

  /** Counts an open connection that a fault hits as it begins. @returns whether it does */
  takeOpen({ id }: HttpFault, request: FaultableRequest): boolean {
    return this.counted(this.context.board.takeOf(id, request)) !== null;
  }

  private counted(fault: HttpFault | null): HttpFault | null {
    if (fault !== null && hitsLeft(fault) === 0) this.appendInBackground(fault.id);
    return fault;
  }

  /** Ends those whose time is up, so that a restore to an earlier instant does not bring them back. */
  endLapsed(): void {
    const { board, nowMs } = this.context;
    for (const id of board.lapsed(nowMs())) this.appendInBackground(id);
  }

  private appendEnd(id: string): Promise<void> {
    return this.context.append({ kind: "http_fault_end", at_ms: this.context.nowMs(), http_fault_id: id });
  }

  /** A failed journal has failed the session. */
  private appendInBackground(id: string): void {
    this.appendEnd(id).catch(() => {});
  }
}
