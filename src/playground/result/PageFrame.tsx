import { useContext, useEffect, useState } from "react";
import { utf8Text } from "../../base/bytes.ts";
import { PreferencesContext } from "../app/preferences.ts";

/** `build/playground.mjs` inserts it, and admits it by its digest. */
declare const FRAME_SCRIPT: string;

interface PageFrameProps {
  readonly testId: string;
  readonly title: string;
  /** A page that is complete in itself. */
  readonly page: Uint8Array;
}

/** A page in a frame that runs its scripts and reaches nothing else. */
export function PageFrame({ testId, title, page }: PageFrameProps) {
  const { scheme } = useContext(PreferencesContext);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([withScript(page)], { type: "text/html; charset=utf-8" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [page]);
  if (url === null) return null;
  return (
    <iframe
      className="frame"
      data-testid={testId}
      title={title}
      sandbox="allow-scripts"
      src={url}
      style={{ colorScheme: scheme }}
    />
  );
}

/** The page with the script before its own policy, which admits its own scripts alone. */
const withScript = (page: Uint8Array): string =>
  utf8Text(page).replace("<head>", (head) => `${head}<script>${FRAME_SCRIPT}</script>`);
