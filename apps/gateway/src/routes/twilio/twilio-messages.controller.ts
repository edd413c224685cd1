import { Controller, Inject, Req } from '@nestjs/common';
import { ApiError, type Outcome, routes, type SmsDetails, smsDetails } from '@watchword/contracts';
import type { FastifyRequest } from 'fastify';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Caller, File, RawBody } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { acceptedRecord } from '../../messages/accepted-record.policy.js';
import { FindMessageHandler } from '../../messages/find-message.handler.js';
import { TextLists } from '../../messages/text-lists.js';
import { scopeOf } from '../../messages/scope.policy.js';
import { SendSmsHandler } from '../../messages/sms/send-sms.handler.js';
import { numberOf, readForm, refusal, required, UNKNOWN_PARAMETERS } from './twilio-form.policy.js';
import { idOfSid, notFound, sidOf } from './twilio-ids.policy.js';
import { listOf, readListing } from './twilio-message-list.policy.js';
import { twilioMessageOf } from './twilio-message.policy.js';

const NO_BODY = 21_602;
const NO_FROM = 21_603;
const NO_TO = 21_604;
const BODY_TOO_LONG = 21_617;
const INVALID_FROM = 21_212;
const BODY_MAX = 1_600;

/** Create, fetch and list of Twilio Messaging, over texts. */
@Controller()
export class TwilioMessagesController {
  constructor(
    @Inject(SendSmsHandler) private readonly sending: SendSmsHandler,
    @Inject(FindMessageHandler) private readonly messages: FindMessageHandler,
    private readonly lists: TextLists,
  ) {}

  @Operation(routes.createTwilioMessage)
  async create(
    @Caller() caller: KeyCaller,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Outcome> {
    checkAccount(caller, request);
    const served = ['To', 'From', 'MessagingServiceSid', 'Body'];
    const form = readForm(body, served, UNKNOWN_PARAMETERS);
    const to = numberOf(required(form, 'To', NO_TO));
    const text = required(form, 'Body', NO_BODY);
    if ([...text].length > BODY_MAX) {
      throw refusal(BODY_TOO_LONG, `The message body exceeds the ${BODY_MAX} character limit.`);
    }
    const service = form.get('MessagingServiceSid') ?? null;
    const from = service === null ? senderOf(required(form, 'From', NO_FROM)) : form.get('From');
    if (service !== null && service !== sidOf('MG', caller.workspace.id)) {
      const own = sidOf('MG', caller.workspace.id);
      throw refusal(INVALID_FROM, `The messaging service of this account is ${own}.`);
    }
    const sms = { phone_number: to, message: text, ...(from && { sender_id: senderOf(from) }) };
    const { command } = await this.sending.sendTransactional(caller, sms, null);
    return { body: twilioMessageOf(smsDetails(acceptedRecord(command)), service) };
  }

  @Operation(routes.listTwilioMessages)
  async list(@Caller() caller: KeyCaller, @Req() request: FastifyRequest): Promise<Outcome> {
    checkAccount(caller, request);
    const listing = readListing(request.url);
    const { to, from, limit, cursor } = listing;
    const query = { limit, ...(to && { to }), ...(from && { from }), ...(cursor && { cursor }) };
    const page = await this.lists.page<SmsDetails>(scopeOf(caller), routes.listMessages, query);
    const messages = page.data.map((record) => twilioMessageOf(record, null));
    return { body: listOf(caller.workspace.id, listing, messages, page.next_cursor) };
  }

  @Operation(routes.getTwilioMessage)
  async fetch(
    @Caller() caller: KeyCaller,
    @File() file: string,
    @Req() request: FastifyRequest,
  ): Promise<Outcome> {
    checkAccount(caller, request);
    const path = `/2010-04-01/Accounts/${sidOf('AC', caller.workspace.id)}/Messages/${file.slice(0, 64)}`;
    const id = file.endsWith('.json') ? idOfSid('SM', file.slice(0, -'.json'.length)) : undefined;
    if (id === undefined) throw notFound(path);
    try {
      const record = await this.messages.find(scopeOf(caller), id, 'sms');
      return { body: twilioMessageOf(smsDetails(record), null) };
    } catch (error) {
      if (error instanceof ApiError && error.type === 'not_found') throw notFound(path);
      throw error;
    }
  }
}

/** Twilio answers 404 for an account that the credentials do not belong to. */
function checkAccount({ workspace }: KeyCaller, request: FastifyRequest): void {
  const { account } = request.params as { account: string };
  if (account.toLowerCase() === sidOf('AC', workspace.id).toLowerCase()) return;
  throw notFound(`/2010-04-01/Accounts/${account.slice(0, 64)}`);
}

function senderOf(from: string): string {
  if (!from.startsWith('+')) return from;
  const message = "Invalid 'From': a sender ID of 1 to 11 characters, not a phone number.";
  throw refusal(INVALID_FROM, message);
}
