import { completionStatus } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { schemaAssist } from "./schemaAssist.ts";
import type { Schema } from "./schemaAt.ts";

const HIGHLIGHTS = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], fontWeight: "600" },
  { tag: [tags.comment, tags.meta], color: "var(--muted)" },
]);

/** Then Tab moves on. A list of completions closes first. */
function leaveEditor({ state, contentDOM }: EditorView): boolean {
  if (completionStatus(state) !== null) return false;
  contentDOM.blur();
  return true;
}

interface FileTraits {
  readonly isEditable: boolean;
  /** Of the entry of the project. */
  readonly schema: Schema | null;
}

/** What the editor of a file does. */
export function extensionsOf(path: string, { isEditable, schema }: FileTraits): Extension {
  return [
    basicSetup,
    lintGutter(),
    Prec.high(keymap.of([{ key: "Escape", run: leaveEditor }])),
    keymap.of([indentWithTab]),
    syntaxHighlighting(HIGHLIGHTS),
    EditorState.readOnly.of(!isEditable),
    EditorView.contentAttributes.of({ "aria-label": path, tabindex: "0" }),
    /\.ya?ml$/i.test(path) ? (schema === null ? yaml() : schemaAssist(schema)) : [],
  ];
}
