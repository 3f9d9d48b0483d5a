import { Kbd, Table } from "@mantine/core";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { Dialog } from "../../dashboard/parts/Dialog.tsx";
import type { TextKey } from "../../texts/catalogue.ts";

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
