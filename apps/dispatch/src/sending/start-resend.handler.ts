import { Injectable } from '@nestjs/common';
import type { SendMessage } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { Message } from '../messages/message.js';
import { MessageChanges } from '../messages/message-changes.handler.js';
import { Router } from '../routing/router.js';
import { Sender } from './sender.js';
import { type Charge, type Reroute, rerouted, started } from './start-resend.policy.js';

type ResendCommand = SendMessage & { resend: NonNullable<SendMessage['resend']> };

export function isResend(command: SendMessage): command is ResendCommand {
  return command.resend != null;
}

/** Starts charged resends, and re-routes. Their messages came before them, because both have one key. */
@Injectable()
export class StartResendHandler {
  constructor(
    private readonly changes: MessageChanges,
    private readonly sender: Sender,
    private readonly router: Router,
  ) {}

  /** Starts each once. A repeated command finds its resend started and does nothing. */
  async handle(commands: readonly ResendCommand[]): Promise<void> {
    if (commands.length === 0) return;
    const begun = new Map<ResendCommand, number>();
    crashPoint('dispatch.start-resend.before-change');
    const messages = await this.changes.apply(
      commands.map((command) => ({
        id: command.resend.otp_id,
        change: (before: Message, at: Date) => {
          const after = this.started(before, command, at);
          const isNew = after.attempts.length > before.attempts.length;
          if (isNew) begun.set(command, after.attempts.at(-1)?.resend ?? 0);
          else begun.delete(command);
          return after;
        },
      })),
    );
    crashPoint('dispatch.start-resend.after-change');
    commands.forEach((command, index) => {
      const message = messages[index];
      const number = begun.get(command);
      if (!message) throw new Error(`a resend of ${command.resend.otp_id}, which does not exist`);
      if (number !== undefined) this.sender.sendAgain(message, number);
    });
  }

  /** Starts the re-route of a code; see `rerouted`. Once it is on record, `sendRerouted` sends it. */
  readonly reroute: Reroute = (message, reason, at) => {
    const candidates = this.router.providersFor(message);
    return rerouted(message, reason, { candidates, heldBy: this.sender.id, at });
  };

  sendRerouted(message: Message, number: number): void {
    this.sender.sendAgain(message, number);
  }

  private started(message: Message, charge: Charge, at: Date): Message {
    const candidates = this.router.providersFor(message);
    return started(message, charge, { candidates, heldBy: this.sender.id, at });
  }
}
