import { wireTime } from "../../../api/endpoints/shared/wireTime.ts";
import { assert } from "../../../base/assert.ts";
import { type EpochMs, isoUtc } from "../../../base/time.ts";
import type { CommandQueue } from "../commandQueue.ts";
import type { HostedWorld } from "../hostedWorld.ts";
import type { SandboxRole } from "../sandboxReads.ts";
import { SessionRefusal } from "../sessionRefusal.ts";
import type { Alarm, AlarmChange } from "./alarm.ts";
import type { AlarmBoard } from "./alarmBoard.ts";
import type { AlarmRecord } from "./alarmSchema.ts";
import { alarmReader, alarmRecord } from "./alarmView.ts";

/** Who acts on an alarm. */
interface Person {
  readonly by: SandboxRole;
  /** `null`: none was given. */
  readonly name: string | null;
}

/** A change of an alarm as a message. */
interface AlarmMessage {
  readonly vpp: string;
  readonly at: string;
  readonly data: AlarmRecord & { readonly what: AlarmChange };
}

/** Commands of a session's alarms, and their changes (docs/model/sandbox.md#alarm-commands). */
export class SessionAlarms {
  private readonly queue: CommandQueue;
  private readonly hosted: () => HostedWorld;

  /** @param hosted  the current world, which a restore replaces */
  constructor(queue: CommandQueue, hosted: () => HostedWorld) {
    this.queue = queue;
    this.hosted = hosted;
  }

  /** Number of the last change; 0: there was none. */
  get lastSeq(): number {
    return this.board.journal.lastSeq;
  }

  /** The next instant at which an alarm may change; `Infinity`: none. */
  get nextDueMs(): EpochMs {
    return this.board.nextDueMs;
  }

  /** The changes after a number, oldest first, in English. */
  changesAfter(seq: number): readonly AlarmMessage[] {
    const entries = this.board.journal.after(seq);
    if (entries.length === 0) return [];
    const reader = alarmReader(this.hosted(), "en");
    return entries.map(({ atMs, what, alarm }) => ({
      vpp: alarm.condition.vpp,
      at: wireTime(atMs),
      data: { ...alarmRecord(alarm, reader), what },
    }));
  }

  private get board(): AlarmBoard {
    return this.hosted().alarmBoard;
  }

  /** Acknowledges an alarm; a cleared one leaves the list. @returns it as it is then */
  acknowledge(id: string, person: Person): Promise<Alarm> {
    return this.queue.runCommand({
      act: (at_ms, apply) => {
        const alarm = this.find(id);
        if (alarm.acknowledgement !== null) return alarm;
        apply({ kind: "alarm", at_ms, id, act: "acknowledge", ...person, until: null });
        return this.changed();
      },
    });
  }

  /** Shelves an alarm, or changes the end. @param endOf  the end, given the present instant */
  shelve(id: string, endOf: (nowMs: EpochMs) => EpochMs, person: Person): Promise<Alarm> {
    return this.queue.runCommand({
      act: (at_ms, apply) => {
        const { clearedMs } = this.find(id);
        const untilMs = endOf(at_ms);
        if (clearedMs !== null)
          throw new SessionRefusal(
            409,
            `The condition of ${id} has ended; acknowledge it, and it leaves the list`,
            "id",
          );
        apply({ kind: "alarm", at_ms, id, act: "shelve", ...person, until: isoUtc(untilMs) });
        return this.changed();
      },
    });
  }

  /** Ends the shelving of an alarm. */
  unshelve(id: string, person: Person): Promise<void> {
    return this.queue.runCommand({
      act: (at_ms, apply) => {
        if (this.find(id).shelvedUntilMs === null) throw new SessionRefusal(409, `${id} is not shelved`, "id");
        apply({ kind: "alarm", at_ms, id, act: "unshelve", ...person, until: null });
      },
    });
  }

  /** @throws SessionRefusal  404 */
  private find(id: string): Alarm {
    const alarm = this.board.find(id);
    if (alarm === undefined) throw new SessionRefusal(404, `No alarm of the list has the id ${id}`, "id");
    return alarm;
  }

  private changed(): Alarm {
    const last = this.board.journal.last;
    assert(last !== null, "a command changes its alarm");
    return last.alarm;
  }
}
