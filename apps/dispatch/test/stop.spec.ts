import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { smsCommand } from './commands.kit.js';
import { accepted } from './dispatch.kit.js';
import { ACCEPTED, EmailKit } from './email.kit.js';

let emails: EmailKit;

afterEach(() => emails.kit.close());

it('a stop awaits carriers and mail servers for as long as the process may, however long they take', async () => {
  emails = await EmailKit.start({ graceMs: 0 });
  const { africasTalking } = emails.kit;
  const answers = Promise.withResolvers<void>();
  africasTalking.answer = async ({ messageId }) => {
    await answers.promise;
    return accepted(messageId);
  };
  emails.world.smtp.answer = async () => {
    await answers.promise;
    return ACCEPTED;
  };
  await emails.kit.send(smsCommand(), emails.command());
  await eventually(() => {
    expect(africasTalking.submits).toHaveLength(1);
    expect(emails.world.smtp.submits).toHaveLength(1);
  });
  await emails.kit.restart();
  answers.resolve();
});
