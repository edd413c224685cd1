/** Bounds of the reads that share statements: of one statement, of statements at once, and of those that wait. */
export const READ_BOUNDS = { sizeMax: 128, inFlightMax: 2, queueMax: 20_000 };
