import { useContext, useEffect, useState } from "react";
import { PreferencesContext } from "../app/preferences.ts";

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
    const made = URL.createObjectURL(new Blob([new Uint8Array(page)], { type: "text/html" }));
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
