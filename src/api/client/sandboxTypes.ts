/** Bodies of the `/sandbox` endpoints. */
export type { Sku } from "../../base/sku.ts";
export type { OutputControlReason } from "../../engine/site/siteSnapshot.ts";
export type { FaultKind } from "../../inputs/scenario/schema/faultSchema.ts";
export type { Grade } from "../../live/drill/gradeSchema.ts";
export type { AlarmJournal, AlarmList, AlarmRecord } from "../../live/session/alarms/alarmSchema.ts";
export type { PreparedRecord, SandboxPrepared } from "../../live/session/injects/preparedSchema.ts";
export type { Speed } from "../../live/session/pace.ts";
export type * from "../../live/session/sandboxCommands.ts";
export type { SandboxEventKind } from "../../live/session/sandboxEventKinds.ts";
export type * from "../../live/session/sandboxReads.ts";
