// The document of the site API 2.2. Each rule is a test on a served scenario.

import { admissionRules } from "./admissionRules.ts";
import { errorTableRules } from "./errorTableRules.ts";
import { retentionRules } from "./retention.ts";
import { checkReadme } from "./ruleSections.ts";
import { siteV2CommandRules } from "./siteV2/commands.ts";
import { siteV2ComponentRules } from "./siteV2/components.ts";
import { siteV2IdempotencyRules } from "./siteV2/idempotency.ts";
import { siteV2OwnerRules } from "./siteV2/owner.ts";
import { siteV2ReadRules } from "./siteV2/reads.ts";

const DOCUMENT = "Site API 2.2";

siteV2ReadRules();
siteV2CommandRules();
siteV2OwnerRules();
siteV2ComponentRules();
retentionRules(DOCUMENT);
admissionRules(DOCUMENT);
siteV2IdempotencyRules();
errorTableRules(DOCUMENT);
checkReadme(DOCUMENT);
