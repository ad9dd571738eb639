// The nearest valid name to a mistyped one, for "did you mean".

/**
 * The candidate within two edits of `word` (one for two or three letters, none for a single one), case ignored; undefined if
 * none is.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const allowed = word.length <= 1 ? 0 : word.length <= 3 ? 1 : 2;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    // The distance is at least the difference in length. Without this look a name of megabytes, from a file, would take gigabytes.
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `; did you mean "C"?` or nothing. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? "" : `; did you mean ${JSON.stringify(found)}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from a to b, each counted once. */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const rows: number[][] = [Array.from({ length: width }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    const above = rows[i - 1] as number[];
    for (let j = 1; j < width; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, (above[j - 1] as number) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, ((rows[i - 2] as number[])[j - 2] as number) + 1);
      }
      row.push(cost);
    }
    rows.push(row);
  }
  return (rows[a.length] as number[])[b.length] as number;
}
