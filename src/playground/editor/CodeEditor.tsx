import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { utf8Bytes } from "../../base/bytes.ts";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";
import type { Playground } from "../app/playground.ts";
import { extensionsOf } from "./extensions.ts";
import { fileText } from "./fileText.ts";

/** The text of the shown file. Each file keeps its own history of changes until another project is opened. */
export function CodeEditor() {
  const playground = usePlayground();
  const { opened, path, jump } = usePlaygroundState();
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const states = useRef(new Map<string, EditorState>());
  useEffect(() => {
    if (parent.current === null) return;
    const editor = new EditorView({ parent: parent.current });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another project has other files of the same names
  useEffect(() => states.current.clear(), [opened]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: likewise
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const kept = states.current;
    editor.setState(kept.get(path) ?? stateOf(playground, path));
    playground.cursor = placeOf(editor.state, path);
    return () => void kept.set(path, editor.state);
  }, [playground, path, opened]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || jump === null) return;
    const line = editor.state.doc.line(Math.min(Math.max(1, jump.line), editor.state.doc.lines));
    const anchor = Math.min(line.from + Math.max(1, jump.column) - 1, line.to);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  }, [jump]);
  return <div className="code" data-testid="editor" ref={parent} />;
}

function stateOf(playground: Playground, path: string): EditorState {
  const { text, lineBreak, isEditable } = fileText(playground.state.get().project.files[path] ?? new Uint8Array());
  const onUpdate = EditorView.updateListener.of(({ state, docChanged, selectionSet }) => {
    if (docChanged) playground.edit(path, utf8Bytes(state.sliceDoc()));
    if (docChanged || selectionSet) playground.cursor = placeOf(state, path);
  });
  return EditorState.create({
    doc: text,
    extensions: [EditorState.lineSeparator.of(lineBreak), extensionsOf(path, { isEditable }), onUpdate],
  });
}

function placeOf(state: EditorState, file: string): Playground["cursor"] {
  const { head } = state.selection.main;
  const { number, from } = state.doc.lineAt(head);
  return { file, line: number, column: head - from + 1 };
}
