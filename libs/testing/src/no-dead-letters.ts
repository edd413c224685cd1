/** The dead letters of a bus on which nothing ever dies. */
export function noDeadLetters() {
  return {
    listDeadLetters: async () => [],
    countDeadLetters: async () => [],
    replayDeadLetters: async () => 0,
    discardDeadLetters: async () => 0,
  };
}
