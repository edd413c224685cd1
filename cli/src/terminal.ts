/** What the command line has of its surroundings. Specs give their own. */
export interface Terminal {
  /** Results. */
  write(text: string): void;
  /** Progress, hints and errors, so that results can be piped. */
  note(text: string): void;
  environment: Record<string, string | undefined>;
  /** Whether results go to a terminal: only then they have colours. */
  isInteractive: boolean;
  /** Ends what goes on until Ctrl-C. */
  signal: AbortSignal;
  fetch: typeof fetch;
  /** Name of the machine, for the key that `login` gets. */
  hostname: string;
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  random(): number;
  /** Reads a line that is not shown; undefined where there is none. */
  readSecret(question: string): Promise<string | undefined>;
  readFile(path: string): string | undefined;
  /** Only the user can read the file. */
  writeFile(path: string, text: string): void;
}

const COLOURS = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export type Colour = keyof typeof COLOURS;

export type Paint = (colour: Colour, text: string) => string;

export function painter({ isInteractive, environment }: Terminal, isWanted: boolean): Paint {
  const isColoured = isInteractive && isWanted && !environment['NO_COLOR'];
  return (colour, text) => (isColoured ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text);
}
