/** Most nested causes that are read. An error can be its own cause. */
const CAUSES_MAX = 5;

/** Returns the error and its causes, the innermost last. Values that are no errors are left out. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < CAUSES_MAX; one = one.cause) {
    causes.push(one);
  }
  return causes;
}
