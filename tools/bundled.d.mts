/** Returns the path of the bundle that `npm start` runs, if there is one. */
export function bundleOf(directory: string): string;
