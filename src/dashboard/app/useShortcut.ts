import { useEffect, useEffectEvent } from "react";

/** Elements in which letters are text. */
const FIELDS = "input, textarea, select, [contenteditable=true]";
/** Elements that take Space themselves; links do not. */
const CONTROLS = "button, summary, [role=option], [role=menuitem], [role=radio], [role=slider]";

/** Whether a key press is a shortcut: not inside fields and dialogs, not with Ctrl, Alt or Meta. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!(event.target instanceof Element) || event.target.closest(`${FIELDS}, [role=dialog]`) !== null) return false;
  return event.key !== " " || event.target.closest(CONTROLS) === null;
}

/** A lower-case letter, a sign, or `Space`. */
export const nameOf = ({ key }: KeyboardEvent): string =>
  key === " " ? "Space" : key.length === 1 ? key.toLowerCase() : key;

/** Calls a function when a key is pressed where it is no text. @param key  as `nameOf` gives it */
export function useShortcut(key: string, onPress: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (nameOf(event) !== key || !isShortcut(event) || event.repeat) return;
    event.preventDefault();
    onPress();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
