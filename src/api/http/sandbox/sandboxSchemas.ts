import { injectSchema } from "../../../inputs/scenario/schema/injectSchema.ts";
import { Grade, GradeProgress } from "../../../live/drill/gradeSchema.ts";
import { AlarmJournal, AlarmList, AlarmRecord, ShelveRequest } from "../../../live/session/alarms/alarmSchema.ts";
import { InitialConditionFile } from "../../../live/session/initialConditionSchema.ts";
import * as prepared from "../../../live/session/injects/preparedSchema.ts";
import * as commands from "../../../live/session/sandboxCommands.ts";
import * as reads from "../../../live/session/sandboxReads.ts";

/** Schemas of the sandbox by their names in `components.schemas`; every body and answer with several properties has one. */
export const SANDBOX_SCHEMAS = {
  Session: reads.SessionView,
  Drill: reads.DrillView,
  Balance: reads.VppBalance,
  Power: reads.VppPower,
  Members: reads.VppMembersView,
  Story: reads.AwardStory,
  PreviewRequest: reads.PreviewRequest,
  Preview: reads.DispatchPreview,
  Events: reads.SandboxEvents,
  Action: commands.ActionRequest,
  Actions: commands.SandboxActionList,
  Alarm: AlarmRecord,
  AlarmList,
  AlarmJournal,
  ShelveRequest,
  Notes: commands.SandboxNotes,
  InjectRequest: injectSchema,
  Inject: commands.InjectRecord,
  Injects: commands.SandboxInjects,
  ScenarioFault: commands.ScenarioFault,
  Prepared: prepared.SandboxPrepared,
  PreparedFile: prepared.PreparedFile,
  PreparedRequest: prepared.PreparedRequest,
  PreparedMalfunction: prepared.PreparedRecord,
  OwnerCall: commands.OwnerCall,
  Grade,
  GradeProgress,
  AdvanceRequest: commands.AdvanceRequest,
  Clock: commands.ClockRecord,
  Credentials: commands.SandboxCredentials,
  FaultRequest: commands.FaultRequest,
  Fault: commands.FaultRecord,
  HttpFaultRequest: commands.HttpFaultRequest,
  HttpFault: commands.HttpFaultRecord,
  RequestEntry: reads.RequestEntry,
  Requests: reads.SandboxRequests,
  Checkpoint: commands.CheckpointRecord,
  InitialCondition: InitialConditionFile,
  Report: commands.SandboxReport,
  StateHash: commands.StateHash,
  Error: reads.SandboxErrorBody,
};
