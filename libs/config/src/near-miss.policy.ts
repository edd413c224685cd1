/**
 * Returns the known name that a writer probably meant: at most this many letters are missing, added,
 * replaced, or swapped with the next one.
 */
export function nearMiss(
  name: string,
  known: Iterable<string>,
  lettersMax = 1,
): string | undefined {
  let nearest: string | undefined;
  let least = lettersMax + 1;
  for (const candidate of known) {
    if (Math.abs(name.length - candidate.length) >= least) continue;
    // One slip leaves the first or the last letter as it is. Most names end here.
    const sharesAnEnd = name[0] === candidate[0] || name.at(-1) === candidate.at(-1);
    if (lettersMax === 1 && !sharesAnEnd) continue;
    const letters = distance(name, candidate);
    if (letters === 0 || letters >= least) continue;
    [nearest, least] = [candidate, letters];
  }
  return nearest;
}

/** Counts the letters that differ. Each row has the distances of one more letter of `left`. */
function distance(left: string, right: string): number {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      const replaced = at(row, j - 1) + (isSame ? 0 : 1);
      next[j] = Math.min(replaced, at(row, j) + 1, at(next, j - 1) + 1);
      const isSwapped = i > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwapped) next[j] = Math.min(at(next, j), at(before, j - 2) + 1);
    }
    [before, row] = [row, next];
  }
  return at(row, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
