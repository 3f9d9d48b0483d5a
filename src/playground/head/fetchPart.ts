/** Loads a file of the page. @param id  of the link in the page that preloads it */
export async function fetchPart(id: string): Promise<Response> {
  const link = document.getElementById(id);
  if (!(link instanceof HTMLLinkElement)) throw new Error(`the page has no link ${id}`);
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(`${link.href}: ${answer.status}`);
  return answer;
}
