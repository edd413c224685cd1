/**
 * Returns the known name that differs by one letter: missing, added, replaced, or swapped with the
 * next one.
 */
export function nearMiss(name: string, known: Iterable<string>): string | undefined {
  for (const candidate of known) if (isNear(name, candidate)) return candidate;
  return undefined;
}

function isNear(name: string, known: string): boolean {
  if (name === known || Math.abs(name.length - known.length) > 1) return false;
  let at = 0;
  while (at < name.length && name[at] === known[at]) at += 1;
  const [left, right] = [name.slice(at), known.slice(at)];
  const isSwapped = left[0] === right[1] && left[1] === right[0];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (isSwapped && left.slice(2) === right.slice(2))
  );
}
