// The document of the site API 1.13. Each rule is a test on a served scenario.

import { admissionRules } from "./admissionRules.ts";
import { errorTableRules } from "./errorTableRules.ts";
import { retentionRules } from "./retention.ts";
import { checkReadme } from "./ruleSections.ts";
import { siteV1Rules } from "./siteV1/endpoints.ts";

const DOCUMENT = "Site API 1.13";

siteV1Rules();
retentionRules(DOCUMENT);
admissionRules(DOCUMENT);
errorTableRules(DOCUMENT);
checkReadme(DOCUMENT);
