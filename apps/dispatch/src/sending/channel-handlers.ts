import type { SendMessage } from '@watchword/contracts';
import { isTextCommand } from '../channels/channels.js';
import type { TextCommand } from '../channels/text-channel.js';

interface Handler<Command> {
  handle(commands: readonly Command[]): Promise<void>;
}

/** Passes commands of emails to their own handler, and those of texts to the other. */
export class ChannelHandlers implements Handler<SendMessage> {
  constructor(
    private readonly texts: Handler<TextCommand>,
    private readonly emails: Handler<SendMessage>,
  ) {}

  async handle(commands: readonly SendMessage[]): Promise<void> {
    const texts = commands.filter(isTextCommand);
    const emails = commands.filter((command) => !isTextCommand(command));
    const work: Promise<void>[] = [];
    if (texts.length > 0) work.push(this.texts.handle(texts));
    if (emails.length > 0) work.push(this.emails.handle(emails));
    await Promise.all(work);
  }
}
