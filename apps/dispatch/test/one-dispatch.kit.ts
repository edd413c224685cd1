import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { accepted, type Kit, type KitOptions, startKit } from './dispatch.kit.js';

/** The kit of the spec file, which `useKit` opens before its tests. */
export let kit: Kit;

export function useKit(options: KitOptions = {}): void {
  beforeAll(async () => {
    kit = await startKit(options);
  });

  afterAll(() => kit?.close());
}

/** Makes both carriers accept again before each test, and clears their received messages. */
export function resetCarriers(): void {
  beforeEach(() => {
    for (const provider of [kit.africasTalking, kit.twilio]) {
      provider.submits.length = 0;
      provider.answer = ({ messageId, resend }) =>
        accepted([provider.name, messageId, ...(resend ? [resend] : [])].join('-'));
    }
  });
}

export const typesOf = async (id: string) => (await kit.events(id)).map(({ type }) => type);
