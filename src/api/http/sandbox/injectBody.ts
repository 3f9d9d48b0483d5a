import { checkDocument } from "../../../inputs/scenario/openDocument.ts";
import { DocumentChecker } from "../../../inputs/scenario/parse/documentChecker.ts";
import { ErrorCollector } from "../../../inputs/scenario/parse/errorCollector.ts";
import { readYaml } from "../../../inputs/scenario/parse/readYaml.ts";
import { type InjectSpec, injectSchema } from "../../../inputs/scenario/schema/injectSchema.ts";
import { checkInject, type KnownNames } from "../../../live/session/injects/checkInject.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { readBody } from "./sandboxBody.ts";

const KEYS = ["kind", "site", "at", "when", "duration", "limit_pct", "reason"];

/**
 * An inject as in a drill file; without `at` and `when` it begins now.
 *
 * @throws SessionRefusal  400 with the first wrong key
 */
export function readInject(body: unknown, known: KnownNames): InjectSpec {
  const given = Object.entries(readBody(KEYS, body)).filter(([, value]) => value !== null && value !== undefined);
  const errors = new ErrorCollector();
  const document = readYaml("body", JSON.stringify(Object.fromEntries(given)), errors);
  const checker = new DocumentChecker(errors);
  const inject = document === null ? undefined : checkDocument(checker, injectSchema, document);
  const [first] = errors.errors;
  if (first !== undefined || inject === undefined)
    throw refusal(first?.keyPath ?? "", first?.found ?? "nothing", first?.allowed ?? "an inject");
  checkInject(checker, inject, known);
  const [wrong] = errors.errors;
  if (wrong !== undefined) throw refusal(wrong.keyPath, wrong.found, wrong.allowed);
  return inject;
}

const refusal = (parameter: string, found: string, allowed: string): SessionRefusal =>
  new SessionRefusal(400, `Found ${found}, allowed ${allowed}`, parameter);
