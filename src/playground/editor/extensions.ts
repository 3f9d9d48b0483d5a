import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

const HIGHLIGHTS = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], fontWeight: "600" },
  { tag: [tags.comment, tags.meta], color: "var(--muted)" },
]);

/** What the editor of a file does. */
export function extensionsOf(path: string, { isEditable }: { readonly isEditable: boolean }): Extension {
  return [
    basicSetup,
    syntaxHighlighting(HIGHLIGHTS),
    EditorState.readOnly.of(!isEditable),
    EditorView.contentAttributes.of({ "aria-label": path }),
    /\.ya?ml$/i.test(path) ? yaml() : [],
  ];
}
