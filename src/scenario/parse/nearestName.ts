/** The name that a mistyped one most likely meant; `null` when none is near: beyond a third of its letters. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    const distance = nameDistance(typed, name);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** A name without its unit or last word is as near as one letter. */
function nameDistance(typed: string, name: string): number {
  if (name.startsWith(`${typed}_`) || typed.startsWith(`${name}_`)) return 1;
  return editDistance(typed, name);
}

/** Least number of letters inserted, left out, replaced, or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const replaced = row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1);
      const swaps = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      next.push(Math.min(replaced, row[k] + 1, next[k - 1] + 1, swaps ? before[k - 2] + 1 : replaced));
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
