import { Kbd, Table } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { Dialog } from "../../dashboard/parts/Dialog.tsx";
import type { TextKey } from "../../texts/catalogue.ts";

const FIELDS = "input, textarea, select, [contenteditable=true], [role=dialog]";

/** Keys that are no text where they are pressed. */
export function useKey(key: string, onPress: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return;
    event.preventDefault();
    onPress();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

const ROWS: readonly { readonly keys: string; readonly text: TextKey }[] = [
  { keys: "Ctrl+Enter", text: "playground.keys.run" },
  { keys: "Esc", text: "playground.keys.leave" },
  { keys: "Ctrl+Space", text: "playground.keys.complete" },
  { keys: "F8", text: "playground.keys.next_problem" },
  { keys: "Ctrl+F", text: "playground.keys.search" },
  { keys: "/", text: "playground.find" },
  { keys: "← →", text: "playground.keys.resize" },
  { keys: "?", text: "playground.keys.sheet" },
];

export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts();
  return (
    <Dialog title={t("playground.keys")} onClose={onClose}>
      <Table>
        <Table.Tbody>
          {ROWS.map(({ keys, text }) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row">
                <Kbd>{keys}</Kbd>
              </Table.Th>
              <Table.Td>{t(text)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
