/** Text that is HTML. `html` escapes everything else. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What stands in a template. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For text between tags and inside quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]);

/** Template tag: escapes strings, inserts `Markup` as is, joins lists, omits `null` and `false`. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(parts.reduce((text, part, k) => text + textOf(contents[k - 1]) + part));
}

/** Text as markup without escaping. Only for constant text, never for text from a file. */
export const trustedMarkup = (text: string): Markup => new Markup(text);

function textOf(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "string") return escapeHtml(content);
  if (typeof content === "number") return String(content);
  return content.map(textOf).join("");
}
