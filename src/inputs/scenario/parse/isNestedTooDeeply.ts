import { Lexer } from "yaml";

/** Levels of a document; a scenario has about ten. */
export const DEPTH_MAX = 64;
/** Each level of block nesting takes at least one column. */
const INDENT_MAX = 400;

/**
 * Whether a text nests so deeply that the recursive parser would overflow the stack.
 *
 * Counts the tokens that open a level: brackets, and indicators and indentation within a line.
 */
export function isNestedTooDeeply(text: string): boolean {
  let brackets = 0;
  let indicators = 0;
  let atLineStart = true;
  for (const token of new Lexer().lex(text)) {
    const first = token[0];
    if (first === "[" || first === "{") brackets++;
    else if (first === "]" || first === "}") brackets--;
    else if (token === "-" || token === "?") indicators++;
    else if (first === "\n" || first === "\r") indicators = 0;
    else if (atLineStart && first === " " && token.length > INDENT_MAX) return true;
    if (brackets > DEPTH_MAX || indicators > DEPTH_MAX) return true;
    atLineStart = first === "\n" || first === "\r";
  }
  return false;
}
