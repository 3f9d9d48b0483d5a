import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { utf8Bytes } from "../../base/bytes.ts";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";
import type { Place, Playground } from "../app/playground.ts";
import { extensionsOf } from "./extensions.ts";
import { fileText } from "./fileText.ts";
import { pathOf, placeOf } from "./ProblemList.tsx";

/** The text of the shown file. Each file keeps its own history of changes until another project is opened. */
export function CodeEditor({ isHidden }: { readonly isHidden: boolean }) {
  const playground = usePlayground();
  const { opened, path, jump, problems } = usePlaygroundState();
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const kept = useRef({ opened, states: new Map<string, EditorState>() });
  useEffect(() => {
    if (parent.current === null) return;
    const editor = new EditorView({ parent: parent.current });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    if (kept.current.opened !== opened) kept.current = { opened, states: new Map() };
    const { states } = kept.current;
    editor.setState(states.get(path) ?? stateOf(playground, path));
    playground.cursor = cursorOf(editor.state, path);
    return () => void states.set(path, editor.state);
  }, [playground, path, opened]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another project has another text
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { project } = playground.state.get();
    const own = problems.filter((problem) => pathOf(problem, project) === path);
    editor.dispatch(
      setDiagnostics(
        editor.state,
        own.map((problem) => diagnosticOf(editor.state.doc, placeOf(problem, project), problem.message)),
      ),
    );
  }, [playground, problems, path, opened]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || jump === null) return;
    const anchor = positionOf(editor.state.doc, jump);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  }, [jump]);
  return <div className="code" data-testid="editor" ref={parent} hidden={isHidden} />;
}

function stateOf(playground: Playground, path: string): EditorState {
  const { entry, files } = playground.state.get().project;
  const { text, lineBreak, isEditable } = fileText(files[path] ?? new Uint8Array());
  const traits = { isEditable, schema: path === entry ? playground.schema : null };
  const onUpdate = EditorView.updateListener.of(({ state, docChanged, selectionSet }) => {
    if (docChanged) playground.edit(path, utf8Bytes(state.sliceDoc()));
    if (docChanged || selectionSet) playground.cursor = cursorOf(state, path);
  });
  return EditorState.create({
    doc: text,
    extensions: [EditorState.lineSeparator.of(lineBreak), extensionsOf(path, traits), onUpdate],
  });
}

function cursorOf(state: EditorState, file: string): Place {
  const { head } = state.selection.main;
  const { number, from } = state.doc.lineAt(head);
  return { file, line: number, column: head - from + 1 };
}

/** The nearest position that the text has. */
function positionOf(doc: Text, { line, column }: Pick<Place, "line" | "column">): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(from + Math.max(1, column) - 1, to);
}

/** Marks the word at the place of an error, or the line. */
function diagnosticOf(doc: Text, place: Place, message: string): Diagnostic {
  const at = positionOf(doc, place);
  const line = doc.lineAt(at);
  const word = /^[^\s,:}\]#]+/.exec(line.text.slice(at - line.from))?.[0] ?? "";
  const [from, to] = word === "" ? [line.from, line.to] : [at, at + word.length];
  return { from, to, severity: "error", message };
}
