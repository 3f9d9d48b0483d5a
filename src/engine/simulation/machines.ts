import { createStepper, type StepEngine, type Stepper } from "../kernel/stepper.ts";
import { type SiteStatus, type SiteStatusEvent, siteStatusMachine } from "../site/siteStatusMachine.ts";
import { type ImmediateEvent, type ImmediateState, immediateMachine } from "../vpp/instructions/immediateMachine.ts";
import { type ScheduleEvent, type ScheduleState, scheduleMachine } from "../vpp/instructions/scheduleMachine.ts";
import { type MemberEvent, type MemberState, memberMachine } from "../vpp/memberMachine.ts";

/** The state machines of a world, all run by one step engine. */
export interface Machines {
  readonly siteStatus: Stepper<SiteStatus, SiteStatusEvent>;
  readonly member: Stepper<MemberState, MemberEvent>;
  readonly schedule: Stepper<ScheduleState, ScheduleEvent>;
  readonly immediate: Stepper<ImmediateState, ImmediateEvent>;
}

export function createMachines(engine: StepEngine): Machines {
  return {
    siteStatus: createStepper(siteStatusMachine, engine),
    member: createStepper(memberMachine, engine),
    schedule: createStepper(scheduleMachine, engine),
    immediate: createStepper(immediateMachine, engine),
  };
}
