/** More than any client nests: an error that is its own cause would have no end. */
const causesMax = 5;

/** The error and what caused it, the innermost last; none of what is no error. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < causesMax; one = one.cause) {
    causes.push(one);
  }
  return causes;
}
