import { Inject, Injectable } from '@nestjs/common';
import type { Clock, SendMessage } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { isTextCommand } from '../channels/channels.js';
import { SendEmailsHandler } from '../emails/send-emails.handler.js';
import { SendMessageHandler } from '../sending/send-message.handler.js';
import { SuspensionStore } from './suspension.store.js';

const BATCH = 100;

/**
 * Holds commands of suspended workspaces in a table until the suspension ends. All others pass, each to the handler of
 * its kind.
 *
 * A command is stored before the bus acknowledges it, and handled before its row is deleted. A
 * crash in between repeats a step: holding twice keeps one row, and handling twice finds the
 * message.
 */
@Injectable()
export class HoldCommandsHandler {
  constructor(
    private readonly suspensions: SuspensionStore,
    @Inject(SendMessageHandler) private readonly texts: Pick<SendMessageHandler, 'handle'>,
    @Inject(SendEmailsHandler) private readonly emails: Pick<SendEmailsHandler, 'handle'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle(commands: readonly SendMessage[]): Promise<void> {
    const suspended = await this.suspensions.suspended();
    if (suspended.size === 0) return this.send(commands);
    const isHeld = (command: SendMessage) => suspended.has(command.workspace_id);
    await this.suspensions.hold(commands.filter(isHeld));
    await this.send(commands.filter((command) => !isHeld(command)));
  }

  /** Sends commands that need not wait any more. Returns whether there may be more. */
  async release(): Promise<boolean> {
    const due = await this.suspensions.due(new Date(this.clock.now()), BATCH);
    if (due.length === 0) return false;
    await this.send(due);
    await this.suspensions.release(due.map(({ message_id: id }) => id));
    return due.length === BATCH;
  }

  private async send(commands: readonly SendMessage[]): Promise<void> {
    const texts = commands.filter(isTextCommand);
    const emails = commands.filter((command) => !isTextCommand(command));
    const work: Promise<void>[] = [];
    if (texts.length > 0) work.push(this.texts.handle(texts));
    if (emails.length > 0) work.push(this.emails.handle(emails));
    await Promise.all(work);
  }
}
