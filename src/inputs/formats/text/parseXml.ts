import type { X2jOptions } from "fast-xml-parser";
import { platform } from "#platform";
import type { FileContent } from "../fileFormat.ts";

export type XmlNode = Readonly<Record<string, unknown>>;

/**
 * The root of an XML file; names have no namespace, values are texts.
 *
 * @param what the file should be, for messages
 * @returns `null` after reporting XML that is not well-formed or has too many levels
 */
export function parseXml({ text, problems }: FileContent, what: string, options: X2jOptions): XmlNode | null {
  const { XMLParser, XMLValidator } = platform.xmlParser();
  const validity = XMLValidator.validate(text);
  if (validity !== true) {
    const { line, col, msg } = validity.err;
    // The validator gives no place for some errors of the whole file.
    problems.add("", () => ({ line: line || 1, column: col || 1, found: msg, allowed: "well-formed XML" }));
    return null;
  }
  try {
    const parser = new XMLParser({ removeNSPrefix: true, parseTagValue: false, processEntities: false, ...options });
    return parser.parse(text) as XmlNode;
  } catch (error) {
    problems.refuse(error instanceof Error ? error.message : String(error), what);
    return null;
  }
}
