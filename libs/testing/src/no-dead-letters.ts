/** The dead letters of a bus that has none. */
export function noDeadLetters() {
  return {
    listDeadLetters: async () => [],
    countDeadLetters: async () => [],
    replayDeadLetters: async () => 0,
    discardDeadLetters: async () => 0,
  };
}
