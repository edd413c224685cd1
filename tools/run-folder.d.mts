/** Opens a folder for all that this process writes; its end ends what it started. Call it once. */
export function openRunFolder(): { readonly folder: string; close(): Promise<void> };
