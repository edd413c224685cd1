import type { MessageDetails } from '../../events/message-events.v1.js';
import { smsDetails, smsRecord } from '../../records/sms.record.js';
import type { MessageRecord } from '../../rpc/dispatch-calls.js';
import type { EventNames, PhoneChannelContract } from '../channel-contract.js';
import { smsFields } from './sms-fields.schema.js';

/** The last hops of an SMS. It cannot be verified, and an expired one has failed. */
const NAMES_OF_A: EventNames = {
  'message.queued': null,
  'message.sent': 'sms.sent',
  'message.delivered': 'sms.delivered',
  'message.verified': 'sms.delivered',
  'message.expired': 'sms.failed',
  'message.failed': 'sms.failed',
  'message.blocked': 'sms.blocked',
  'message.rejected': 'sms.failed',
  'message.cancelled': 'sms.cancelled',
};

/** Endings that the timeline of a message of variant A names in other words. */
const ENDINGS_OF_B: Readonly<Record<string, string | undefined>> = {
  blocked: 'rejected',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

export const SMS_CONTRACT: PhoneChannelContract = {
  pricedBy: 'segment',
  granted: 'sms_segment',
  notFound: { en: 'No SMS has this id.', fr: 'Aucun SMS n’a cet identifiant.' },
  hasLongBody: false,
  limits: [
    {
      name: 'sms-number',
      setting: 'sms_per_number_per_minute',
      windowSeconds: 60,
      per: 'number',
    },
  ],
  isPumped: false,
  invalidNumber: 'phone_invalid',
  refusesAtOnce: true,

  acceptedContent({ sms }) {
    if (sms === null) throw new Error('a command of kind sms without its sms part');
    const { body, encoding, original_body, category } = sms;
    return {
      body,
      encoding,
      original_body,
      ...(category && { category }),
      ...smsFields(sms),
      otp: null,
    };
  },
  /** Also the text that its sender gave. */
  listed: (record) => ({
    kind: 'sms',
    ...smsDetails(record),
    original_message: record.original_body ?? undefined,
  }),

  eventNamesOfA: NAMES_OF_A,
  eventNamesOfB: {
    ...NAMES_OF_A,
    'message.queued': 'sms.queued',
    'message.blocked': 'sms.rejected',
    'message.rejected': 'sms.rejected',
  },
  textOfA: ({ body }) => ({ message: body ?? '' }),
  statusOfA: (status) => status,
  verdictOfA: ({ antispam }) => (antispam === null ? {} : { antispam }),
  /** In variant B's words, also for messages of variant A. */
  resource({ occurred_at: at, message, details }) {
    const rest = details ?? withoutDetails(at);
    const ending = ENDINGS_OF_B[message.state];
    const last = rest.timeline.at(-1);
    const timeline =
      ending && last ? rest.timeline.with(-1, { ...last, status: ending }) : rest.timeline;
    const record: MessageRecord = { ...message, ...rest, family: 'b', timeline };
    return { ...smsRecord(record, rest.cost ?? null), sms_id: message.id };
  },
  sample: (_, at) => ({
    family: 'b',
    sender_id: 'Acme',
    body: 'This is a sample.',
    created_at: at,
    otp: null,
  }),
};

/** Returns empty details, because an event of an older version has only the snapshot. */
function withoutDetails(at: string): MessageDetails {
  return {
    updated_at: at,
    failed_at: null,
    original_body: null,
    rewritten: false,
    otp: null,
    timeline: [],
    provider_attempts: [],
  };
}
