import type { Static, TSchema } from "typebox";
import { ErrorCollector, inputRefusal, NO_SUCH_FILE } from "../../base/inputError.ts";
import { decodeText } from "./parse/decodeText.ts";
import type { DocumentChecker } from "./parse/documentChecker.ts";
import type { JsonSchema } from "./parse/jsonSchema.ts";
import type { ScenarioFiles } from "./parse/loadContext.ts";
import { readYaml } from "./parse/readYaml.ts";
import type { SourceNode, SourceOrigin } from "./parse/sourceNode.ts";

/** A document with the places of its values. */
interface LocatedDocument {
  readonly root: SourceNode;
  readonly origin: SourceOrigin;
}

interface OpenDocument extends LocatedDocument {
  readonly text: string;
  /** The errors so far, such as a key that is there twice. */
  readonly errors: ErrorCollector;
}

/**
 * Reads a YAML file that is not part of a scenario.
 *
 * @param allowed  what the file has to be, such as `a readable study file`
 * @throws InputErrors if there is no such file, or if it is not text or not YAML
 */
export function openDocument(file: string, allowed: string, files: ScenarioFiles): OpenDocument {
  const content = files.read(file);
  if (content === null) throw inputRefusal(file, NO_SUCH_FILE, allowed);
  const errors = new ErrorCollector();
  const text = decodeText(file, content, errors);
  const document = text === null ? null : readYaml(file, text, errors);
  if (text === null || document === null) throw errors.toInputErrors();
  return { ...document, text, errors };
}

/** The checked values of a document, with the type of its schema; `undefined` with at least one error if it has no values. */
export const checkDocument = <S extends TSchema>(
  checker: DocumentChecker,
  schema: S,
  { root, origin }: LocatedDocument,
  path = "",
): Static<S> | undefined => checker.check(schema as JsonSchema, root, origin, path) as Static<S> | undefined;
