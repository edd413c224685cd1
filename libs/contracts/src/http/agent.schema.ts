import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { idOf } from '../shapes.js';
import type { MessageId } from '../ids.js';
import { ErrorEnvelope } from './error.schema.js';
import { CreateSmsBody, SmsMessage } from './messaging.schema.js';
import {
  OtpDetails,
  SendOtpAnswer,
  SendOtpBody,
  VerifyOtpAnswer,
  VerifyOtpBody,
} from './otp.schema.js';
import { PublicPriceList } from './pricing.schema.js';
import { QuoteAnswer } from './quote.schema.js';
import { SmsDetails } from './sms.schema.js';

const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

const Keyed = Type.Object({
  idempotency_key: Type.Optional(
    Type.String({
      description:
        'Any text of your choice. A repeat of the call with the same key and arguments within 24 hours ' +
        'answers as the first one did, and sends and charges nothing.',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
    }),
  ),
});

const DryRun = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({
      description:
        'True: answer what the send would cost and whether it would pass. Nothing is sent or charged.',
      default: false,
    }),
  ),
});

const Reference = (what: string) => Type.Object({ id: idOf<MessageId>({ description: what }) });

export const SendOtpArguments = Type.Composite([SendOtpBody, Keyed, DryRun]);
export type SendOtpArguments = Static<typeof SendOtpArguments>;
export const VerifyOtpArguments = Type.Composite([VerifyOtpBody, Keyed]);
export type VerifyOtpArguments = Static<typeof VerifyOtpArguments>;
export const GetOtpArguments = Reference('The `id` that send_otp returned.');
export type GetOtpArguments = Static<typeof GetOtpArguments>;
export const SendSmsArguments = Type.Composite([CreateSmsBody, Keyed, DryRun]);
export type SendSmsArguments = Static<typeof SendSmsArguments>;
export const GetSmsArguments = Reference('The `id` that send_sms returned.');
export type GetSmsArguments = Static<typeof GetSmsArguments>;

/** Answer of a dry run: the quote of the send, which was not made. */
export const DryRunAnswer = Type.Composite([
  QuoteAnswer,
  Type.Object({
    would_pass: Type.Boolean({ description: 'False if at least one gate refuses the send.' }),
  }),
]);
export type DryRunAnswer = Static<typeof DryRunAnswer>;

export interface AgentTool {
  readonly title: string;
  readonly description: string;
  readonly input: TSchema;
  /** Schemas of a success. `toolOutput` adds the REST error envelope. */
  readonly outputs: readonly TSchema[];
  readonly isReadOnly: boolean;
}

/** The tools of the agent endpoint. Their schemas are those of the REST routes. */
export const AGENT_TOOLS = {
  get_pricing: {
    title: 'Get the price list',
    description: 'Credits per SMS segment for every country and network, cheapest first.',
    input: Type.Object({}),
    outputs: [PublicPriceList],
    isReadOnly: true,
  },
  send_otp: {
    title: 'Send a one-time password',
    description:
      'Generates a code and sends it by SMS. The code is never shown: ask the person for it and check ' +
      'it with verify_otp. Charges credits.',
    input: SendOtpArguments,
    outputs: [SendOtpAnswer, DryRunAnswer],
    isReadOnly: false,
  },
  verify_otp: {
    title: 'Verify a code',
    description:
      'Checks the code that the person gave. A wrong code is a result with `valid: false` and uses up ' +
      'one attempt.',
    input: VerifyOtpArguments,
    outputs: [VerifyOtpAnswer],
    isReadOnly: false,
  },
  get_otp: {
    title: 'Get a one-time password',
    description: 'Its status, timeline and cost. The code is never shown.',
    input: GetOtpArguments,
    outputs: [OtpDetails],
    isReadOnly: true,
  },
  send_sms: {
    title: 'Send an SMS',
    description: 'Sends a text or a template to one number, now or at `send_at`. Charges credits.',
    input: SendSmsArguments,
    outputs: [SmsMessage, DryRunAnswer],
    isReadOnly: false,
  },
  get_sms: {
    title: 'Get an SMS',
    description: 'Its status, timeline, attempts and cost.',
    input: GetSmsArguments,
    outputs: [SmsDetails],
    isReadOnly: true,
  },
} as const satisfies Record<string, AgentTool>;

export type AgentToolName = keyof typeof AGENT_TOOLS;

/** Returns the schema of a tool's `structuredContent`: its answer or the error envelope. */
export function toolOutput({ outputs }: AgentTool): TSchema {
  return Type.Union([...outputs, ErrorEnvelope], { type: 'object' });
}
