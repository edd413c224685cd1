import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ServerProcess, type ServerProcessOptions } from './server-process.js';

/** Starts, and ends however its owner does. */
export interface Server {
  /** For sentences: `Kafka broker 1`. */
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether it does not run, for any reason. */
  hasEnded(): Promise<boolean>;
}

/**
 * Where the programs of servers run: as processes of this machine, or in containers that share its
 * network and the directory they work in, so that files and addresses are the same for both.
 */
export interface ServerHost<Kind extends Server = Server> {
  /** To its end; rejects with what it said when that was no success. Images bring an environment of their own. */
  run(
    command: string,
    args: readonly string[],
    directory: string,
    environment?: NodeJS.ProcessEnv,
  ): Promise<void>;
  server(options: ServerProcessOptions): Kind;
}

export const thisMachine: ServerHost<ServerProcess> = {
  run: async (command, args, directory, env) => {
    await promisify(execFile)(command, args, { cwd: directory, ...(env && { env }) });
  },
  server: (options) => new ServerProcess(options),
};
