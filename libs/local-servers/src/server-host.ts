import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ServerProcess, type ServerProcessOptions } from './server-process.js';

/** A server that its owner starts and stops. It ends when its owner does. */
export interface Server {
  /** Name in sentences, for example `Kafka broker 1`. */
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Returns whether it does not run, for any reason. */
  hasEnded(): Promise<boolean>;
}

/**
 * Where server programs run: as processes of this machine, or in containers that share its network
 * and their working directory. Files and addresses are the same for both.
 */
export interface ServerHost<Kind extends Server = Server> {
  /**
   * Runs a command to its end. Rejects with its output if it fails. Images have their own
   * environment.
   */
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
