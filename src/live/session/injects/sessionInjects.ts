import { assert } from "../../../base/assert.ts";
import type { InjectSpec } from "../../../inputs/scenario/schema/injectSchema.ts";
import type { CommandQueue } from "../commandQueue.ts";
import { SessionRefusal } from "../sessionRefusal.ts";
import type { Inject, OwnerCall, StepView } from "./inject.ts";
import type { InjectBoard } from "./injectBoard.ts";

/** Commands and reads of a session's injects and owner calls (docs/model/drills.md#injects). */
export class SessionInjects {
  private readonly queue: CommandQueue;
  private readonly board: () => InjectBoard;

  /** @param board  that of the current world, which a restore replaces */
  constructor(queue: CommandQueue, board: () => InjectBoard) {
    this.queue = queue;
    this.board = board;
  }

  /** Injects of the drill and of the instructor, in the order in which they were planned. */
  get list(): readonly Inject[] {
    return this.board().injects;
  }

  /** Steps of the drill, as they are now. */
  get steps(): readonly StepView[] {
    return this.board().steps;
  }

  /** Plans an inject; without an instant or a condition it begins now. */
  plan(inject: InjectSpec): Promise<Inject> {
    return this.queue.runCommand<Inject>({
      act: (at_ms, apply) => {
        apply({ kind: "inject", at_ms, inject });
        const planned = this.list.at(-1);
        assert(planned !== undefined, "an inject that was planned is listed");
        return planned;
      },
    });
  }

  /** Cancels a planned inject, or ends the fault of one in force. */
  cancel(injectId: string): Promise<void> {
    return this.queue.runCommand<void>({
      act: (at_ms, apply) => {
        const found = this.list.find((inject) => inject.injectId === injectId);
        if (found === undefined) throw new SessionRefusal(404, `No inject has the id ${injectId}`, "inject_id");
        if (found.state !== "planned" && found.state !== "in_force")
          throw new SessionRefusal(409, `The inject ${injectId} is over: its state is ${found.state}`, "inject_id");
        apply({ kind: "inject_cancel", at_ms, inject_id: injectId });
      },
    });
  }

  /** Calls the owner of a site, who ends its faults after a delay. */
  callOwner(site: string, delayMs: number): Promise<OwnerCall> {
    return this.queue.runCommand<OwnerCall>({
      act: (at_ms, apply) => {
        apply({ kind: "owner_call", at_ms, site, delay_ms: delayMs });
        const call = this.board().ownerCalls.at(-1);
        assert(call !== undefined, "a call to an owner is listed");
        return call;
      },
    });
  }
}
