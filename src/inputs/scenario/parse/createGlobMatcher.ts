/**
 * Matcher of site names. `*` stands for any number of characters and is the only wildcard: glob libraries also give `?`,
 * `[`, `{`, `!` and `/` a meaning, which site names may contain.
 */
export function createGlobMatcher(glob: string): (name: string) => boolean {
  if (!glob.includes("*")) return (name) => name === glob;
  const [head, ...others] = glob.split("*");
  const rest = others.slice(0, -1);
  const tail = others[others.length - 1];
  return (name) => {
    if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return false;
    let position = head.length;
    const end = name.length - tail.length;
    for (const piece of rest) {
      const index = name.indexOf(piece, position);
      if (index < 0 || index + piece.length > end) return false;
      position = index + piece.length;
    }
    return true;
  };
}
