// The document of the VPP API 1.4. Each rule is a test on a served scenario.

import { admissionRules } from "./admissionRules.ts";
import { errorTableRules } from "./errorTableRules.ts";
import { checkReadme } from "./ruleSections.ts";
import { vppControlAnswerRules } from "./vppV1/controlAnswer.ts";
import { vppControlValidationRules } from "./vppV1/controlValidation.ts";
import { vppHistoryRules } from "./vppV1/history.ts";
import { vppIdempotencyRules } from "./vppV1/idempotency.ts";
import { vppMemberRules } from "./vppV1/members.ts";
import { vppOptionRules } from "./vppV1/options.ts";
import { vppScheduleRules } from "./vppV1/schedules.ts";
import { vppSkipRules } from "./vppV1/skips.ts";
import { vppStatusRules } from "./vppV1/status.ts";

const DOCUMENT = "VPP API 1.4";

vppMemberRules();
vppControlAnswerRules();
vppControlValidationRules();
vppSkipRules();
vppScheduleRules();
vppOptionRules();
vppStatusRules();
vppHistoryRules();
admissionRules(DOCUMENT);
vppIdempotencyRules();
errorTableRules(DOCUMENT);
checkReadme(DOCUMENT);
