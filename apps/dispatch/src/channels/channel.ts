import type { MessageKind } from '@watchword/contracts';
import type { Machine } from './machine.js';

/** What every channel registers. */
export interface Channel<State extends string = string, Trigger extends string = string> {
  readonly kind: MessageKind;
  readonly machine: Machine<State, Trigger>;
}
