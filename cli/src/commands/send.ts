/** Commands that send. */
import { testCode } from '../../../sdks/typescript/src/index.js';
import { type Command, required, text, UsageError, wholeNumber } from '../command.js';
import { EXIT } from '../exit-codes.js';

const otpSend: Command = {
  name: 'otp send',
  about: 'Send a one-time password.',
  parameters: ['NUMBER'],
  options: {
    length: { value: 'DIGITS', about: 'digits of the code, 4 to 8' },
    ttl: { value: 'SECONDS', about: 'how long the code is good' },
    language: { value: 'en|fr', about: 'language of the text' },
  },
  example: 'watchword otp send +2348031234567',
  async run(context) {
    const client = context.client();
    const length = wholeNumber(context, 'length');
    const sent = await client.otp.send({
      phone_number: context.positionals[0]!,
      code_length: length,
      ttl_seconds: wholeNumber(context, 'ttl'),
      language: text(context, 'language') as 'en' | 'fr' | undefined,
    });
    context.print(sent, () => [
      `${sent.id}  ${sent.status}  ${sent.phone_number}  ${sent.credit_cost} credits`,
    ]);
    const code = client.isTestMode ? testCode(sent.code_length) : 'CODE';
    context.hint(`Next: watchword otp verify ${sent.id} ${code}`);
  },
};

const otpVerify: Command = {
  name: 'otp verify',
  about: 'Check a code. The exit code is 10 where it is wrong.',
  parameters: ['ID', 'CODE'],
  options: {},
  example: 'watchword otp verify 01a1fb6f-2804-71d7-b8cd-d504c01656ae 123456',
  async run(context) {
    const [otp_id = '', code = ''] = context.positionals;
    const answer = await context.client().otp.verify({ otp_id, code });
    const left = answer.attempts_remaining;
    context.print(answer, () => [
      answer.valid
        ? context.paint('green', 'The code is right.')
        : context.paint('red', `The code is wrong. Attempts left: ${left ?? 0}.`),
    ]);
    return answer.valid ? EXIT.done : EXIT.wrongCode;
  },
};

const smsSend: Command = {
  name: 'sms send',
  about: 'Send a transactional SMS.',
  parameters: ['NUMBER', 'TEXT'],
  options: { sender: { value: 'ID', about: 'sender ID; by default that of the workspace' } },
  example: 'watchword sms send +2348031234567 "Your order has shipped."',
  async run(context) {
    const [phone_number = '', message = ''] = context.positionals;
    const sent = await context
      .client()
      .sms.send({ phone_number, message, sender_id: text(context, 'sender') });
    context.print(sent, () => [
      `${sent.id}  ${sent.status}  ${sent.phone_number}  ${sent.segments} x ${sent.encoding}  ${sent.credit_cost} credits`,
    ]);
    context.hint('Next: watchword messages tail');
  },
};

const emailSend: Command = {
  name: 'email send',
  about: 'Send an email.',
  parameters: [],
  options: {
    from: { value: 'ADDRESS', about: 'an address of a verified domain' },
    to: { value: 'ADDRESS', about: 'the recipient; several with commas' },
    subject: { value: 'TEXT', about: 'the subject' },
    text: { value: 'TEXT', about: 'the plain text' },
    html: { value: 'HTML', about: 'the HTML' },
  },
  example:
    'watchword email send --from hello@mail.example.com --to ada@example.com --subject Hi --text "Hello Ada"',
  async run(context) {
    const to = required(context, 'to').split(',');
    const body = {
      from: required(context, 'from'),
      to,
      subject: required(context, 'subject'),
      text: text(context, 'text'),
      html: text(context, 'html'),
    };
    if (body.text === undefined && body.html === undefined) {
      throw new UsageError('Give --text, --html, or both.');
    }
    const sent = await context.client().emails.send(body);
    context.print(sent, () => [`${sent.id}  ${sent.status}  ${to.join(', ')}`]);
    context.hint('Next: watchword messages tail --kind email');
  },
};

const quote: Command = {
  name: 'quote',
  about: 'Show what a send would cost, and what would refuse it. Nothing is sent.',
  parameters: ['NUMBER', '[TEXT]'],
  options: { sender: { value: 'ID', about: 'sender ID' } },
  example: 'watchword quote +2348031234567 "Your order has shipped."',
  async run(context) {
    const [phone_number = '', message] = context.positionals;
    const quoted = await context
      .client()
      .quotes.create(
        message === undefined
          ? { kind: 'otp', phone_number }
          : { kind: 'sms', phone_number, message, sender_id: text(context, 'sender') },
      );
    context.print(quoted, () => [
      `${quoted.credits} credits  ${quoted.segments} x ${quoted.encoding}  ${quoted.country_code ?? ''} ${quoted.network ?? ''}`.trim(),
      ...(quoted.gates ?? []).map(({ gate, verdict, message: why }) => {
        const colour = verdict === 'pass' ? 'green' : verdict === 'warn' ? 'yellow' : 'red';
        return `  ${context.paint(colour, verdict.padEnd(6))} ${gate}${why ? `: ${why}` : ''}`;
      }),
    ]);
  },
};

export const SENDING = [otpSend, otpVerify, smsSend, emailSend, quote];
