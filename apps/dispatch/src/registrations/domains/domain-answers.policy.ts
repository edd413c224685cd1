import type { DomainRecord, DomainRecordStatus } from '@watchword/contracts';
import { isDkimRecordFor } from '@watchword/email';

/** What DNS's answers say of a record. */
export interface RecordFinding {
  readonly status: DomainRecordStatus;
  /** What disturbs, for people. Null unless `failed`. */
  readonly problem: string | null;
}

const SHOWN_LENGTH_MAX = 80;
/** RFC 7208 4.6.4: a receiver stops at the eleventh look-up, and the record counts as broken. */
const SPF_LOOK_UPS_MAX = 10;
const SPF_TERM =
  /^(?:[+~?-]?(?:all|include:[^\s:/]+|exists:[^\s:/]+|(?:a|mx)(?::[^\s:/]+)?(?:\/\d{1,2})?(?:\/\/\d{1,3})?|ptr(?::[^\s:/]+)?|ip4:\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?|ip6:[0-9a-f:.]+(?:\/\d{1,3})?)|[a-z][a-z0-9._-]*=\S*)$/;
const SPF_LOOK_UP = /^(?:[+~?-]?(?:include:|exists:|(?:a|mx|ptr)(?:[:/]|$))|redirect=)/;

/** Returns whether receivers accept a record as it stands in DNS, else what disturbs. */
export function judgeAnswers(
  { purpose, value }: Pick<DomainRecord, 'purpose' | 'value'>,
  publicKey: string,
  answers: readonly string[],
): RecordFinding {
  switch (purpose) {
    case 'DKIM':
      return judgeDkim(answers, publicKey);
    case 'SPF':
      return judgeSpf(answers.filter(isSpf), value);
    case 'DMARC':
      return judgeDmarc(answers.filter(isDmarc));
    default:
      return judgeHosts(answers, value);
  }
}

function verdict(answers: readonly string[], problem: string | null): RecordFinding {
  if (answers.length === 0) return { status: 'pending', problem: null };
  return problem === null ? { status: 'verified', problem } : { status: 'failed', problem };
}

/** A record of another, without line breaks and short. */
function shown(record: string): string {
  const text = record.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const cut = text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}...` : text;
  return `"${cut}"`;
}

/** RFC 6376 3.6.2.2: a selector has one record. Receivers choose any of several. */
function judgeDkim(answers: readonly string[], publicKey: string): RecordFinding {
  const others = answers.filter((answer) => !isDkimRecordFor(answer, publicKey));
  if (others.length === 0) {
    const isTwice = answers.length > 1;
    return verdict(answers, isTwice ? 'The record stands here twice. Remove one.' : null);
  }
  const isOursThere = others.length < answers.length;
  const rest = isOursThere ? 'Remove it.' : 'Replace it with the value above.';
  return verdict(answers, `Another record stands at this name: ${shown(others[0]!)}. ${rest}`);
}

function isSpf(answer: string): boolean {
  return /^v=spf1(?:\s|$)/i.test(answer.trim());
}

function judgeSpf(records: readonly string[], value: string): RecordFinding {
  return verdict(records, records[0] === undefined ? null : spfProblem(records, value));
}

function spfProblem([record = '', second]: readonly string[], value: string): string | null {
  if (second !== undefined)
    return `Two SPF records make both invalid. Join this one: ${shown(second)}.`;
  const wanted = value.split(' ').find((term) => term.startsWith('include:')) ?? value;
  const terms = record.trim().toLowerCase().split(/\s+/).slice(1);
  const invalid = terms.find((term) => !SPF_TERM.test(term));
  if (invalid !== undefined)
    return `The SPF record has a term that is not valid: ${shown(invalid)}.`;
  const at = terms.findIndex((term) => term.replace(/^\+/, '').replace(/\.$/, '') === wanted);
  if (at < 0) return `The SPF record lacks ${wanted}.`;
  const all = terms.findIndex((term) => /^[+~?-]?all$/.test(term));
  if (all >= 0 && all < at)
    return `${wanted} stands behind ${shown(terms[all]!)}, which ends the record.`;
  const lookUps = terms.filter((term) => SPF_LOOK_UP.test(term)).length;
  return lookUps > SPF_LOOK_UPS_MAX
    ? `The SPF record needs ${lookUps} look-ups; receivers make ${SPF_LOOK_UPS_MAX}.`
    : null;
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

/** RFC 7489 6.6.3: of several records none counts. */
function judgeDmarc(records: readonly string[]): RecordFinding {
  const [first = '', second] = records;
  if (second !== undefined) {
    return verdict(records, `Of two DMARC records none counts. Remove one: ${shown(second)}.`);
  }
  const policy = tagsOf(first).get('p')?.toLowerCase() ?? '';
  const isRight = ['none', 'quarantine', 'reject'].includes(policy);
  return verdict(records, isRight ? null : 'The DMARC record has no policy, for example p=none.');
}

function isDmarc(answer: string): boolean {
  return tagsOf(answer).get('v')?.toUpperCase() === 'DMARC1';
}

/** A server beside ours would get the reports, and lose them. */
function judgeHosts(hosts: readonly string[], value: string): RecordFinding {
  const other = hosts.find((host) => host.toLowerCase().replace(/\.$/, '') !== value);
  if (other === undefined) return verdict(hosts, null);
  return verdict(hosts, `The name leads to ${shown(other)} first. It must lead to ${value} only.`);
}
