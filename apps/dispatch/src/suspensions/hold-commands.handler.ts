import type { Clock, SendMessage } from '@watchword/contracts';
import type { SendMessageHandler } from '../sending/send-message.handler.js';
import type { SuspensionStore } from './suspension.store.js';

const BATCH = 100;

/**
 * Holds commands of suspended workspaces in a table until the suspension ends. All others pass.
 *
 * A command is stored before the bus acknowledges it, and handled before its row is deleted. A
 * crash in between repeats a step: holding twice keeps one row, and handling twice finds the
 * message.
 */
export class HoldCommandsHandler {
  constructor(
    private readonly suspensions: SuspensionStore,
    private readonly sending: Pick<SendMessageHandler, 'handle'>,
    private readonly clock: Clock,
  ) {}

  async handle(commands: readonly SendMessage[]): Promise<void> {
    const suspended = await this.suspensions.suspended();
    if (suspended.size === 0) return this.sending.handle(commands);
    const isHeld = (command: SendMessage) => suspended.has(command.workspace_id);
    await this.suspensions.hold(commands.filter(isHeld));
    const passing = commands.filter((command) => !isHeld(command));
    if (passing.length > 0) await this.sending.handle(passing);
  }

  /** Sends commands that need not wait any more. Returns whether there may be more. */
  async release(): Promise<boolean> {
    const due = await this.suspensions.due(new Date(this.clock.now()), BATCH);
    if (due.length === 0) return false;
    await this.sending.handle(due);
    await this.suspensions.release(due.map(({ message_id: id }) => id));
    return due.length === BATCH;
  }
}
