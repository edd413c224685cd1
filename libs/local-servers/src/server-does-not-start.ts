/** What it said is in the message, and is all that helps: where we waited for it is of no interest. */
export class ServerDoesNotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ServerDoesNotStart';
  }
}

/** The sentence in what a Java program said when it failed, without the stack. */
export function lastSentence(said: string): string {
  const lines = said.split('\n').filter((line) => /^\S/.test(line));
  return (lines.at(-1) ?? 'it said nothing').replace(/^Exception in thread "[^"]*" /, '');
}
