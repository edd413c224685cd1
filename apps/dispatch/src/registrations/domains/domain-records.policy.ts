import type { DomainPurpose, DomainRecord, DomainRecordStatus } from '@watchword/contracts';
import { dkimRecordValue, isDkimRecordFor, trackingHostOf } from '@watchword/email';

/** Host names of this installation that a domain's records point to. */
export interface MailHosts {
  /** Receives bounces. Empty where there is none. */
  readonly bounceDomain: string;
  /** Serves opens and clicks. Empty where there is none. */
  readonly trackingHost: string;
}

export interface DomainKey {
  readonly name: string;
  readonly selector: string;
  /** The SPKI in base64. */
  readonly publicKey: string;
}

export type RecordStates = Readonly<Partial<Record<DomainPurpose, DomainRecordStatus>>>;

const MX_PRIORITY = 10;

/** Returns a selector that is unique in DNS, because the domain's id is. */
export function selectorOf(domainId: string): string {
  return `svc${domainId.replaceAll('-', '')}`;
}

function returnPathOf(name: string): string {
  return `send.${name}`;
}

/** Returns the records that the workspace publishes, ready to paste. */
export function recordsOf(key: DomainKey, hosts: MailHosts, states: RecordStates): DomainRecord[] {
  const { name, selector, publicKey } = key;
  const record = (
    purpose: DomainPurpose,
    type: DomainRecord['type'],
    host: string,
    value: string,
  ): DomainRecord => ({
    purpose,
    type,
    name: host,
    value,
    priority: type === 'MX' ? MX_PRIORITY : null,
    required: purpose === 'DKIM',
    status: states[purpose] ?? 'pending',
  });
  const dkim = dkimRecordValue(publicKey);
  const records = [record('DKIM', 'TXT', `${selector}._domainkey.${name}`, dkim)];
  const { bounceDomain, trackingHost } = hosts;
  if (bounceDomain !== '') {
    const spf = `v=spf1 include:${bounceDomain} ~all`;
    records.push(record('SPF', 'TXT', returnPathOf(name), spf));
    records.push(record('MX', 'MX', returnPathOf(name), bounceDomain));
  }
  const dmarc = `v=DMARC1; p=none; rua=mailto:dmarc@${name}`;
  records.push(record('DMARC', 'TXT', `_dmarc.${name}`, dmarc));
  if (trackingHost !== '') {
    records.push(record('TRACKING', 'CNAME', trackingHostOf(name), trackingHost));
  }
  return records;
}

/** Returns whether DNS's answers for a record serve its purpose. */
export function judgeAnswers(
  { purpose, value }: Pick<DomainRecord, 'purpose' | 'value'>,
  publicKey: string,
  answers: readonly string[],
): DomainRecordStatus {
  switch (purpose) {
    case 'DKIM':
      return judged(answers, (answer) => isDkimRecordFor(answer, publicKey));
    case 'SPF':
      return judgeSpf(answers, value);
    case 'DMARC':
      return judgeDmarc(answers.filter(isDmarc));
    default:
      return judged(answers, (answer) => isSameHost(answer, value));
  }
}

function judged(
  answers: readonly string[],
  isRight: (answer: string) => boolean,
): DomainRecordStatus {
  if (answers.length === 0) return 'pending';
  return answers.some(isRight) ? 'verified' : 'failed';
}

/** Returns the tags of `a=b; c=d`, with all blanks removed. */
function tagsOf(text: string): Map<string, string> {
  const pairs = text.replaceAll(/\s+/g, '').split(';');
  return new Map(
    pairs
      .map((pair) => [pair, pair.indexOf('=')] as const)
      .filter(([, at]) => at > 0)
      .map(([pair, at]) => [pair.slice(0, at).toLowerCase(), pair.slice(at + 1)]),
  );
}

/** Two SPF records at one name make both invalid. */
function judgeSpf(answers: readonly string[], value: string): DomainRecordStatus {
  const [first, second] = answers.filter((answer) => /^v=spf1(?:\s|$)/i.test(answer.trim()));
  if (first === undefined) return 'pending';
  const wanted = value.split(' ').find((term) => term.startsWith('include:'));
  const terms = first.toLowerCase().split(/\s+/);
  const isRight = terms.includes(`${wanted}`) || terms.includes(`+${wanted}`);
  return second === undefined && isRight ? 'verified' : 'failed';
}

/** RFC 7489 6.6.3: of several records none counts. */
function judgeDmarc(records: readonly string[]): DomainRecordStatus {
  return records.length > 1 ? 'failed' : judged(records, hasDmarcPolicy);
}

function isDmarc(answer: string): boolean {
  return tagsOf(answer).get('v')?.toUpperCase() === 'DMARC1';
}

function hasDmarcPolicy(answer: string): boolean {
  const policy = tagsOf(answer).get('p')?.toLowerCase() ?? '';
  return ['none', 'quarantine', 'reject'].includes(policy);
}

function isSameHost(answer: string, value: string): boolean {
  return answer.toLowerCase().replace(/\.$/, '') === value;
}
