/** Commands about events and webhooks. */
import { randomBytes } from 'node:crypto';
import { ApiError, ConnectionError, type Watchword } from '../../../sdks/typescript/src/index.js';
import { type Command, type Context, required, text, UsageError, wholeNumber } from '../command.js';
import { type AnyEvent, clock, forward, nameOf, type Target } from '../forwarding.js';
import { EXIT } from '../exit-codes.js';
import { readSettings, writeSettings } from '../settings.js';

const POLL_MS = 1_000;
const POLL_AFTER_FAILURE_MS = 5_000;
const PAGE = 200;

const listen: Command = {
  name: 'listen',
  about: 'Forward the events of the workspace to a local receiver, signed, until Ctrl-C.',
  parameters: [],
  options: {
    'forward-to': { value: 'URL', about: 'your receiver, for example http://localhost:8080/hook' },
    events: { value: 'NAMES', about: 'only these, with commas; by default all' },
    after: { value: 'SEQUENCE', about: 'begin after this event; by default with the next one' },
    secret: { value: 'SECRET', about: 'whsec_...; by default one that is made once and stored' },
  },
  example: 'watchword listen --forward-to http://localhost:8080/hook',
  async run(context) {
    const target = targetOf(context);
    const wanted = text(context, 'events')
      ?.split(',')
      .map((name) => name.trim());
    const client = context.client();
    for (const name of wanted ?? []) await checkName(client, name);
    let after = wholeNumber(context, 'after') ?? (await lastSequence(client));
    context.terminal.note(`Signing secret: ${target.secret}`);
    context.terminal.note(`Forwarding events after #${after} to ${target.url}. Ctrl-C stops.`);
    for (;;) {
      const events = await nextEvents(context, client, after);
      for (const event of events ?? []) {
        if (!wanted || wanted.includes(nameOf(event))) await forward(context, event, target);
        after = event.sequence;
      }
      if (events?.length === PAGE) continue;
      const waitMs = events ? POLL_MS : POLL_AFTER_FAILURE_MS;
      await context.terminal.sleep(waitMs, context.terminal.signal);
    }
  },
};

/** The API refuses a name that no event has, and says which there are. */
async function checkName(client: Watchword, name: string): Promise<void> {
  await client.events.list({ type: name as 'sms.failed', limit: 1 }).page();
}

/** Undefined while the API cannot be reached: a laptop that slept goes on. */
async function nextEvents(
  context: Context,
  client: Watchword,
  after: number,
): Promise<AnyEvent[] | undefined> {
  try {
    const { signal } = context.terminal;
    return (await client.events.list({ after, limit: PAGE }, { signal }).page()).data;
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    context.terminal.note(`${clock(context.terminal.now())}  ${error.message} Trying again.`);
    return undefined;
  }
}

/** The number of the newest event, found by halving, because events are listed from the oldest one. */
export async function lastSequence(client: Watchword): Promise<number> {
  const next = async (after: number) =>
    (await client.events.list({ after, limit: 1 }).page()).data[0]?.sequence;
  let known = await next(0);
  if (known === undefined) return 0;
  let step = 1;
  let beyond: number;
  for (;;) {
    beyond = known + step;
    const found = await next(beyond);
    if (found === undefined) break;
    known = found;
    step *= 2;
  }
  while (known < beyond) {
    const middle = Math.floor((known + beyond) / 2);
    const found = await next(middle);
    if (found === undefined) beyond = middle;
    else known = found;
  }
  return known;
}

function targetOf(context: Context): Target {
  const url = required(context, 'forward-to');
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new UsageError('--forward-to must be a URL, for example http://localhost:8080/hook.');
  }
  return { url, secret: text(context, 'secret') ?? storedSecret(context) };
}

/** The same in every run, so that the receiver need not change. */
function storedSecret({ terminal }: Context): string {
  const settings = readSettings(terminal);
  if (settings.listen_secret) return settings.listen_secret;
  const listen_secret = `whsec_${randomBytes(32).toString('base64')}`;
  writeSettings(terminal, { ...settings, listen_secret });
  return listen_secret;
}

const list: Command = {
  name: 'events list',
  about: 'List events, the oldest first.',
  parameters: [],
  options: {
    after: { value: 'SEQUENCE', about: 'only events after this one' },
    type: { value: 'EVENT', about: 'only events of this name' },
    limit: { value: 'N', about: 'at most so many; by default 50' },
  },
  example: 'watchword events list --type sms.failed',
  async run(context) {
    const type = text(context, 'type') as 'sms.failed' | undefined;
    let left = wholeNumber(context, 'limit', 1) ?? 50;
    const events = context.client().events.list({ after: wholeNumber(context, 'after'), type });
    for await (const event of events) {
      if (left <= 0) break;
      left -= 1;
      context.print(event, () => [`#${event.sequence}  ${nameOf(event)}  ${describe(event)}`]);
    }
  },
};

function describe({ data }: AnyEvent): string {
  const { id, status } = data as { id?: string; status?: string };
  return [id, status].filter(Boolean).join('  ');
}

const replay: Command = {
  name: 'events replay',
  about: 'Repeat a webhook delivery, or send an event to a local receiver again.',
  parameters: ['[DELIVERY]'],
  options: {
    'forward-to': { value: 'URL', about: 'with --sequence: your receiver' },
    sequence: { value: 'N', about: 'with --forward-to: number of the event' },
    secret: { value: 'SECRET', about: 'with --forward-to: whsec_...; by default that of listen' },
  },
  example: 'watchword events replay --forward-to http://localhost:8080/hook --sequence 42',
  async run(context) {
    const [delivery] = context.positionals;
    if (delivery !== undefined) {
      const repeated = await context.client().webhooks.replayDelivery(delivery);
      context.print(repeated, () => [`${repeated.id}  ${repeated.event_type}  ${repeated.status}`]);
      return EXIT.done;
    }
    const sequence = wholeNumber(context, 'sequence', 1);
    if (sequence === undefined) {
      throw new UsageError('Give the id of a delivery, or --forward-to with --sequence.');
    }
    const target = targetOf(context);
    const found = context.client().events.list({ after: sequence - 1, limit: 1 });
    const [event] = (await found.page()).data;
    if (event?.sequence !== sequence) {
      throw new ApiError({
        type: 'not_found',
        status: 404,
        message: `There is no event #${sequence} that this key may see. See which there are: watchword events list`,
        attempts: 1,
      });
    }
    return (await forward(context, event, target)) ? EXIT.done : EXIT.failed;
  },
};

export const EVENTS = [listen, list, replay];
