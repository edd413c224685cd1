/** The message holds the server's own output. A stack trace of the waiting code would not help. */
export class ServerDoesNotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ServerDoesNotStart';
  }
}

/** Returns the sentence of a Java program's failure, without the stack. */
export function lastSentence(said: string): string {
  const lines = said.split('\n').filter((line) => /^\S/.test(line));
  return (lines.at(-1) ?? 'it said nothing').replace(/^Exception in thread "[^"]*" /, '');
}
