import { Kbd, Modal, Table } from "@mantine/core";
import { useEffect, useState } from "react";
import type { TextKey } from "../../texts/catalogue.ts";
import { useTexts } from "./preferences.tsx";
import { navigate, type PAGES } from "./route.ts";
import { isShortcut, nameOf, useShortcut } from "./useShortcut.ts";

const PAGE_KEYS: Readonly<Record<string, (typeof PAGES)[number]>> = {
  n: "now",
  s: "sites",
  c: "schedules",
  i: "instruct",
  a: "alarms",
  r: "report",
};

/** Real ms in which the second key of `G N` must follow. */
const SEQUENCE_MS = 1_500;

/** `G` and then the letter of a page. */
function usePageKeys(): void {
  useEffect(() => {
    let startedMs = Number.NEGATIVE_INFINITY;
    // In the capture phase, so that `G A` does not also acknowledge.
    const listener = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      const page = event.timeStamp - startedMs < SEQUENCE_MS ? PAGE_KEYS[nameOf(event)] : undefined;
      startedMs = nameOf(event) === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (page === undefined) return;
      event.preventDefault();
      navigate([page]);
    };
    addEventListener("keydown", listener, { capture: true });
    return () => removeEventListener("keydown", listener, { capture: true });
  }, []);
}

const SHEET_EVENT = "vppsim-shortcuts";

export const openShortcuts = (): void => void dispatchEvent(new Event(SHEET_EVENT));

/** Focuses the field that finds a site; goes to the sites where the page has none. */
export const SITE_FILTER_ID = "site-filter";

function findSite(): void {
  const field = document.getElementById(SITE_FILTER_ID);
  if (field === null) navigate(["sites"], { find: "1" });
  else field.focus();
}

const ROWS: readonly { readonly keys: readonly string[]; readonly text: TextKey }[] = [
  { keys: ["Space"], text: "shortcuts.freeze" },
  { keys: ["."], text: "shortcuts.next_award" },
  { keys: ["E"], text: "shortcuts.next_event" },
  { keys: ["T"], text: "shortcuts.a_time" },
  { keys: ["G", "N S C I A R"], text: "shortcuts.go_to" },
  { keys: ["A"], text: "shortcuts.acknowledge" },
  { keys: ["W"], text: "shortcuts.why" },
  { keys: ["/"], text: "shortcuts.find" },
  { keys: ["←", "→"], text: "shortcuts.read" },
  { keys: ["+", "−", "0"], text: "shortcuts.zoom" },
  { keys: ["Ctrl+Enter"], text: "shortcuts.send" },
  { keys: ["Esc"], text: "shortcuts.close" },
  { keys: ["?"], text: "shortcuts.sheet" },
];

/** The list of shortcuts, and those that work on every page. */
export function ShortcutSheet() {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = () => setOpen(true);
    addEventListener(SHEET_EVENT, open);
    return () => removeEventListener(SHEET_EVENT, open);
  }, []);
  useShortcut("?", () => setOpen(true));
  useShortcut("/", findSite);
  usePageKeys();
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title={t("shortcuts.title")} size="lg">
      <Table>
        <Table.Tbody>
          {ROWS.map(({ keys, text }) => (
            <Table.Tr key={text}>
              <Table.Th scope="row">
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{t(text)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p className="muted">{t("shortcuts.fields")}</p>
    </Modal>
  );
}
