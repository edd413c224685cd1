import type { DomainPurpose, DomainRecord, DomainRecordStatus } from '@watchword/contracts';
import { dkimRecordValue, trackingHostOf } from '@watchword/email';

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

/** `DKIM.problem`: what disturbs, for people, of a record that failed. */
export type RecordStates = Readonly<
  Partial<Record<DomainPurpose, DomainRecordStatus>> &
    Partial<Record<`${DomainPurpose}.problem`, string>>
>;

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
    problem: states[`${purpose}.problem`] ?? null,
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
