import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Steps at which the server follows the script. Every other step succeeds. */
export type Command = 'greeting' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'dot';
/** An answer, `reset` for a cut connection, `hang` for silence, `half` for half an answer. */
export type Script = Partial<Record<Command, string>>;

export interface ScriptedOptions {
  readonly script: Script;
  readonly extensions?: readonly string[];
}

const GOOD: Readonly<Record<Command, string>> = {
  greeting: '220 mx.example.com ESMTP',
  EHLO: '250-mx.example.com',
  STARTTLS: '220 go ahead',
  AUTH: '235 2.7.0 welcome',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  dot: '250 2.0.0 Ok: queued as 4XyZ12',
};

/**
 * A server that can fail at each step, also where SMTP libraries cannot: before the greeting,
 * within an answer, after the final dot.
 */
export class ScriptedSmtp {
  readonly commands: string[] = [];
  readonly messages: string[] = [];
  connections = 0;
  script: Script;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly extensions: readonly string[];

  private constructor({
    script,
    extensions = ['PIPELINING', 'DSN', 'SIZE 9999999'],
  }: ScriptedOptions) {
    this.script = script;
    this.extensions = extensions;
    this.server = createServer((socket) => this.talk(socket));
  }

  static async open(options: ScriptedOptions): Promise<ScriptedSmtp> {
    const scripted = new ScriptedSmtp(options);
    await new Promise<void>((resolve) => scripted.server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.dropConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  dropConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Sends the greeting that the script held back. */
  greet(): void {
    for (const socket of this.sockets) socket.write(`${GOOD.greeting}\r\n`);
  }

  private talk(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    let received = '';
    let message: string[] | null = null;
    const envelope = { hasRecipient: false };
    this.answer(socket, 'greeting');
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end);
        received = received.slice(end + 2);
        if (message === null) {
          if (this.command(socket, line, envelope)) message = [];
        } else if (line === '.') {
          this.messages.push(message.join('\r\n'));
          message = null;
          this.answer(socket, 'dot');
        } else message.push(line.replace(/^\./, ''));
      }
    });
  }

  /** Handles a command. Returns whether a message follows. */
  private command(socket: Socket, line: string, envelope: { hasRecipient: boolean }): boolean {
    this.commands.push(line);
    const [verb = ''] = line.split(/[ :]/);
    if (verb === 'MAIL') envelope.hasRecipient = false;
    if (verb === 'RCPT') envelope.hasRecipient = this.script.RCPT === undefined;
    if (verb === 'DATA' && !envelope.hasRecipient && this.script.RCPT?.startsWith('2') !== true) {
      if (/^\d/.test(this.script.RCPT ?? '')) socket.write('554 5.5.1 no valid recipients\r\n');
      return false;
    }
    if (verb === 'EHLO' && this.script.EHLO === undefined) {
      const lines = [GOOD.EHLO, ...this.extensions.map((name) => `250-${name}`), '250 HELP'];
      socket.write(`${lines.join('\r\n')}\r\n`);
      return false;
    }
    if (verb === 'RSET' || verb === 'HELO') socket.write('250 ok\r\n');
    else if (verb === 'QUIT') socket.end('221 bye\r\n');
    else return this.answer(socket, verb as Command) && verb === 'DATA';
    return false;
  }

  /** Sends the answer of a step. Returns whether it was the successful one. */
  private answer(socket: Socket, command: Command): boolean {
    const scripted = this.script[command];
    if (scripted === 'hang') return false;
    if (scripted === 'reset') socket.resetAndDestroy();
    else if (scripted === 'half') socket.end('25');
    else socket.write(`${scripted ?? GOOD[command]}\r\n`);
    return scripted === undefined || scripted.startsWith('3');
  }
}
