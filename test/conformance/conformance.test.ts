import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { errorTableRules } from "./errorTables.ts";
import { gateRules } from "./gate.ts";
import { idempotencyRules } from "./idempotency.ts";
import { siteV1Rules } from "./siteV1.ts";
import { siteV2Rules } from "./siteV2.ts";
import { siteV2CommandRules } from "./siteV2Commands.ts";
import { siteV2ComponentRules } from "./siteV2Components.ts";
import { siteV2OwnerRules } from "./siteV2Owner.ts";
import { knownGaps, tallyTable } from "./tally.ts";
import { vppControlAnswerRules } from "./vppControlAnswer.ts";
import { vppControlValidationRules } from "./vppControlValidation.ts";
import { vppHistoryRules } from "./vppHistory.ts";
import { vppMemberRules } from "./vppMembers.ts";
import { vppOptionRules } from "./vppOptions.ts";
import { vppScheduleRules } from "./vppSchedules.ts";
import { vppSkipRules } from "./vppSkips.ts";
import { vppStatusRules } from "./vppStatus.ts";

vppMemberRules();
vppControlAnswerRules();
vppControlValidationRules();
vppSkipRules();
vppScheduleRules();
vppOptionRules();
vppStatusRules();
vppHistoryRules();
siteV2Rules();
siteV2CommandRules();
siteV2OwnerRules();
siteV2ComponentRules();
siteV1Rules();
gateRules();
idempotencyRules();
errorTableRules();

const README = new URL("../README.md", import.meta.url);
const TABLE = /(<!-- rules by section -->\n)[\s\S]*?(\n<!-- end -->)/;

test("test/README.md has the number of rules by section", () => {
  const text = readFileSync(README, "utf8");
  const renewed = text.replace(TABLE, (_, before: string, after: string) => `${before}\n${tallyTable()}\n${after}`);
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(README, renewed);
  else expect(text).toBe(renewed);
});

afterAll(() => console.info([tallyTable(), ...knownGaps().map((gap) => `not kept yet: ${gap}`)].join("\n")));
