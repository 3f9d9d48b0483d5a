import { type EpochMs, isoUtc } from "../../base/time.ts";
import { DocumentChecker } from "../../scenario/parse/documentChecker.ts";
import { ErrorCollector } from "../../scenario/parse/errorCollector.ts";
import { formatValue } from "../../scenario/parse/inputError.ts";
import type { JsonSchema } from "../../scenario/parse/jsonSchema.ts";
import { readYaml } from "../../scenario/parse/readYaml.ts";
import { type InjectSpec, injectSchema } from "../../scenario/schema/injectSchema.ts";
import { SessionRefusal } from "../../session/sessionRefusal.ts";
import { readBody } from "./sandboxBody.ts";

const KEYS = ["kind", "site", "at", "when", "duration", "limit_pct", "reason"];

/**
 * An inject as in a drill file; without `at` and `when` it begins now.
 *
 * @throws SessionRefusal  400 with the first wrong key
 */
export function readInject(
  body: unknown,
  { nowMs, endMs, sites }: { readonly nowMs: EpochMs; readonly endMs: EpochMs; readonly sites: readonly string[] },
): InjectSpec {
  const given = Object.entries(readBody(KEYS, body)).filter(([, value]) => value !== null && value !== undefined);
  const errors = new ErrorCollector();
  const document = readYaml("body", JSON.stringify(Object.fromEntries(given)), errors);
  const checker = new DocumentChecker(errors);
  const spec =
    document === null ? undefined : checker.check(injectSchema as JsonSchema, document.root, document.origin, "");
  const [first] = errors.errors;
  if (first !== undefined || spec === undefined)
    throw refusal(first?.keyPath ?? "", first?.found ?? "nothing", first?.allowed ?? "an inject");
  const inject = spec as InjectSpec;
  if (!sites.includes(inject.site)) throw refusal("site", formatValue(inject.site), `a site: ${sites.join(", ")}`);
  if (inject.at !== undefined && inject.when !== undefined)
    throw refusal("when", "both at and when", "one of them, or neither to begin now");
  if (inject.at !== undefined && !(Math.floor(nowMs / 1000) * 1000 <= inject.at && inject.at < endMs))
    throw refusal("at", isoUtc(inject.at), `an instant from now, ${isoUtc(nowMs)}, until before ${isoUtc(endMs)}`);
  if (inject.kind !== "output_control" && (inject.limit_pct ?? inject.reason) !== undefined)
    throw refusal(
      inject.limit_pct === undefined ? "reason" : "limit_pct",
      "a value",
      "none: it belongs to output_control",
    );
  if (inject.kind === "output_control" && inject.limit_pct === undefined)
    throw refusal("limit_pct", "nothing", "a number from 0 to 100");
  return inject;
}

const refusal = (parameter: string, found: string, allowed: string): SessionRefusal =>
  new SessionRefusal(400, `Found ${found}, allowed ${allowed}`, parameter);
