import { afterAll } from "vitest";
import { gateRules } from "./gate.ts";
import { idempotencyRules } from "./idempotency.ts";
import { knownGaps, tallyTable } from "./tally.ts";
import { vppControlAnswerRules } from "./vppControlAnswer.ts";
import { vppControlValidationRules } from "./vppControlValidation.ts";
import { vppHistoryRules } from "./vppHistory.ts";
import { vppMemberRules } from "./vppMembers.ts";
import { vppScheduleRules } from "./vppSchedules.ts";
import { vppSkipRules } from "./vppSkips.ts";
import { vppStatusRules } from "./vppStatus.ts";

vppMemberRules();
vppControlAnswerRules();
vppControlValidationRules();
vppSkipRules();
vppScheduleRules();
vppStatusRules();
vppHistoryRules();
gateRules();
idempotencyRules();

afterAll(() => console.info([tallyTable(), ...knownGaps().map((gap) => `not kept yet: ${gap}`)].join("\n")));
