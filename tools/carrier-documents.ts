/** Generates the page of carriers from their registry. */
import {
  ALL_CARRIERS,
  CARRIERS,
  EMAIL_CARRIERS,
  settingsOf,
  variableOf,
} from '@watchword/carriers/registry';

type Carrier = (typeof CARRIERS)[number];

type AnyCarrier = (typeof ALL_CARRIERS)[number];

const ofSms = CARRIERS.filter(({ settings }) => settings.length > 0);
const withSettings = ALL_CARRIERS.filter(({ settings }) => settings.length > 0);

/** `docs/reference/carriers.md`. */
export function carriersReference(): string {
  const head = [
    '# Carriers',
    '',
    'Generated from the registry in `libs/carriers`; change a carrier there, not this page.',
    '',
    'An account exists as soon as its required settings are set. The first account of a carrier has the',
    'carrier’s name. `CARRIER_ACCOUNTS=twilio_eu:twilio` adds an account of Twilio called `twilio_eu`,',
    'whose variables begin with `TWILIO_EU_`. It has the routes of its carrier and comes right after the',
    'carrier’s first account. Each account has its own callback address:',
    '`npm run operator -- callback-urls` prints what to enter at each carrier.',
    '',
    '## Of SMS',
    '',
    '| Carrier | Token | Callback address | Signed | Inbound messages | Unanswered at once | Per second | Time-out OTP / SMS | Priced per | Price stated in |',
    '| --- | --- | --- | --- | --- | --: | --: | --- | --- | --- |',
  ];
  const rows = ofSms.map(summaryOf);
  const emailHead = [
    '',
    '## Of email',
    '',
    'They are tried in this order. [Receiving bounces](../guides/bounces.md) says what comes back.',
    '',
    '| Carrier | Token | Reports | Unanswered at once |',
    '| --- | --- | --- | --: |',
  ];
  const emailRows = EMAIL_CARRIERS.map(emailSummaryOf);
  const details = withSettings.flatMap(detailsOf);
  return `${[...head, ...rows, ...emailHead, ...emailRows, ...details].join('\n')}\n`;
}

/** `deploy/carriers.json`: what `deploy/create-settings.mjs`, which runs without a build, needs to know. */
export function deployedCarriers(): string {
  const carriers = withSettings.map((carrier) => {
    const { token, settings } = carrier;
    const isSimulated = settings.every(({ required, simulated }) => !required || simulated);
    return {
      token,
      isSimulated,
      required: settings
        .filter(({ required }) => required)
        .map((setting) => ({
          variable: variableOf(token, setting),
          simulated: setting.simulated,
        })),
    };
  });
  return `${JSON.stringify(carriers, null, 2)}\n`;
}

function summaryOf(carrier: Carrier): string {
  const { title, token, callback, capacity, deadlines, cost } = carrier;
  const cells = [
    title,
    `\`${token}\``,
    ...reportsOf(carrier),
    callback === undefined || callback.inboundPage ? 'read' : 'not read',
    String(capacity.concurrency),
    capacity.messagesPerSecond === null ? 'no bound' : String(capacity.messagesPerSecond),
    `${deadlines.otp / 1_000} s / ${deadlines.sms / 1_000} s`,
    cost.per,
    cost.stated,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** How reports arrive, and what proves that they are the carrier's. */
function reportsOf(carrier: Carrier): [arrival: string, proof: string] {
  const { callback, settings, token } = carrier;
  if (callback === undefined)
    return ['none: reports come over the connection', 'no: the bind is the proof'];
  const arrival =
    callback.urlSetBy === 'message' ? 'sent with each message' : 'entered at the carrier';
  const optional = settings.find(({ key }) => key === callback.signedOnceSet);
  if (optional) return [arrival, `once \`${variableOf(token, optional)}\` is set`];
  return [arrival, callback.signedWith ? 'yes' : 'no: the address is the proof'];
}

function emailSummaryOf({ title, token, callback, concurrency }: (typeof EMAIL_CARRIERS)[number]) {
  const reports = callback === undefined ? 'bounce messages over SMTP' : 'callbacks, signed';
  return `| ${title} | \`${token}\` | ${reports} | ${concurrency} |`;
}

function detailsOf(carrier: AnyCarrier): string[] {
  const { title, token, callback } = carrier;
  const rows = settingsOf(carrier).map((setting) => {
    const { required = false, secret = false, services, sentence, fallbackText } = setting;
    const name = `\`${variableOf(token, setting)}\`${secret ? ' (secret)' : ''}`;
    const usual = fallbackText ?? 'unset';
    return `| ${name} | ${required ? 'yes' : 'no'} | ${usual} | ${services.join(', ')} | ${sentence} |`;
  });
  const pages = [
    ['Delivery reports', callback?.reportsPage],
    ['Inbound messages', callback?.inboundPage],
    ['Opt-outs, the same address', callback?.optOutPage],
  ].flatMap(([kind, page]) => (page ? [`- ${kind}: ${page}`] : []));
  return [
    '',
    `## ${title}`,
    '',
    '| Variable | Required | Default | Read by | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...(pages.length === 0
      ? []
      : ['', 'Where its address is entered at the carrier:', '', ...pages]),
  ];
}
