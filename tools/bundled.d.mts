/** Returns the path of the bundle that `npm start` runs. */
export function bundleOf(directory: string): string;
