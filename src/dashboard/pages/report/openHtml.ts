/**
 * Shows a self-contained HTML page of the server in a tab of its own. It comes with the person's token, which an
 * address cannot carry. The tab takes over the content security policy of this page: scripts in it do not run.
 *
 * @param waiting  what the tab shows until the page is there
 * @throws what `read` throws
 */
export async function openHtml(read: () => Promise<string>, waiting: string): Promise<void> {
  // Opened at once, because browsers refuse windows that no click opens.
  const tab = window.open("", "_blank");
  if (tab !== null) tab.document.body.textContent = waiting;
  try {
    const url = htmlUrl(await read());
    if (tab === null) location.assign(url);
    else tab.location.href = url;
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** Address of a self-contained HTML page, for this tab's life. */
const htmlUrl = (html: string): string => URL.createObjectURL(new Blob([html], { type: "text/html;charset=utf-8" }));

/** Gives a text to the person as a file. */
export function saveText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
