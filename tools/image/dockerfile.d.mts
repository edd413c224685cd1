export interface Instruction {
  name: string;
  text: string;
}

export function readDockerfile(file: string): Instruction[];
/** What our rules say against it. */
export function complaintsAbout(instructions: readonly Instruction[]): string[];
