// The document of the site API 1.13. Each rule is a test on a served scenario.
import { errorTableRules } from "./errorTables.ts";
import { gateRules } from "./gate.ts";
import { retentionRules } from "./retention.ts";
import { siteV1Rules } from "./siteV1/endpoints.ts";
import { checkReadme } from "./tally.ts";

const DOCUMENT = "Site API 1.13";

siteV1Rules();
retentionRules(DOCUMENT);
gateRules(DOCUMENT);
errorTableRules(DOCUMENT);
checkReadme(DOCUMENT);
