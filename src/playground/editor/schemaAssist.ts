import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import type { Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import { textOf } from "../../texts/catalogue.ts";
import { keysOf, kindText, type Schema, schemasAt, valuesOf } from "./schemaAt.ts";
import { keyAt, typedPlace } from "./yamlPlace.ts";

/** Keys and values of the scenario format, with their meanings: the schema that `vppsim validate` checks by. */
export function schemaAssist(schema: Schema): Extension {
  const language = yaml();
  return [language, language.language.data.of({ autocomplete: completeBy(schema) }), hoverTooltip(explainBy(schema))];
}

const completeBy =
  (schema: Schema) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const place = typedPlace(state.sliceDoc(), pos);
    if (place === null || (place.from === pos && !explicit)) return null;
    const schemas = schemasAt(schema, place.root, place.path);
    const options = place.kind === "key" ? keyOptions(schemas, place.siblings) : valueOptions(schemas);
    return options.length === 0 ? null : { from: place.from, options, validFor: /^[\w.-]*$/ };
  };

function keyOptions(schemas: readonly Schema[], siblings: readonly string[]): Completion[] {
  const keys = [...keysOf(schemas)].filter(([key]) => !siblings.includes(key));
  // An item of a list that is no mapping is a value.
  if (keys.length === 0 && siblings.length === 0) return valueOptions(schemas);
  return keys.map(([key, { schema, isRequired }]) => ({
    label: key,
    type: "property",
    detail: kindText(schema).slice(0, 40),
    info: () => explanation(key, schema),
    apply: `${key}: `,
    boost: isRequired ? 1 : 0,
  }));
}

const valueOptions = (schemas: readonly Schema[]): Completion[] =>
  valuesOf(schemas).map((label) => ({ label, type: "constant" }));

const explainBy =
  (root: Schema) =>
  (view: EditorView, pos: number): Tooltip | null => {
    const key = keyAt(view.state.sliceDoc(), pos);
    if (key === null) return null;
    const name = String(key.path.at(-1));
    const around = keysOf(schemasAt(root, key.root, key.path.slice(0, -1)));
    const schema = around.get(name)?.schema;
    if (schema === undefined) return null;
    return { pos: key.from, end: key.to, create: () => ({ dom: explanation(name, schema) }) };
  };

/** Name, kind, default and meaning of a key. */
function explanation(name: string, schema: Schema): HTMLElement {
  const language = document.documentElement.lang === "ja" ? "ja" : "en";
  const { title, description } = schema;
  const value = schema.default === undefined ? null : JSON.stringify(schema.default);
  const lines = [
    kindText(schema),
    title,
    description,
    value === null ? undefined : textOf(language, "playground.default", { value }),
  ];
  const element = document.createElement("div");
  element.className = "explanation";
  const head = document.createElement("b");
  head.textContent = name;
  element.append(head);
  for (const line of lines) {
    if (line === undefined || line === "") continue;
    const paragraph = document.createElement("p");
    paragraph.textContent = line;
    element.append(paragraph);
  }
  return element;
}
