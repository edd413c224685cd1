import { type EmailCarrier, emailCapacityOf } from '../email/email-carrier.js';
import type { SmtpSecurity } from './smtp.adapter.js';

const DOMAIN_CONCURRENCY = 20;

/** An SMTP relay of the operator or of a provider. */
export const smtp: EmailCarrier = {
  token: 'smtp',
  title: 'SMTP relay',
  settings: [
    {
      key: 'host',
      suffix: 'HOST',
      kind: 'text',
      required: true,
      pattern: /^[A-Za-z0-9.:-]+$/,
      meaning: 'a host name or address',
      fallbackText: 'the carrier simulator (embedded only)',
      services: ['dispatch'],
      sentence: 'Mail relay that takes outgoing email.',
    },
    {
      key: 'port',
      suffix: 'PORT',
      kind: 'port',
      fallbackText: '587, or 465 with SMTP_SECURITY=tls',
      services: ['dispatch'],
      sentence: 'Port of that relay.',
    },
    {
      key: 'security',
      suffix: 'SECURITY',
      kind: 'text',
      pattern: /^(?:starttls|tls|none)$/,
      meaning: 'starttls, tls or none',
      fallbackText: 'starttls',
      services: ['dispatch'],
      sentence: 'How the connection is encrypted; an email is never sent in the clear unless none.',
    },
    {
      key: 'username',
      suffix: 'USERNAME',
      kind: 'text',
      fallbackText: 'none: the relay knows this machine',
      services: ['dispatch'],
      sentence: 'User at that relay.',
    },
    {
      key: 'password',
      suffix: 'PASSWORD',
      kind: 'text',
      secret: true,
      services: ['dispatch'],
      sentence: 'Password of that user.',
    },
    {
      key: 'ehloName',
      suffix: 'EHLO_NAME',
      kind: 'text',
      pattern: /^[A-Za-z0-9.-]+$/,
      meaning: 'a host name',
      fallbackText: 'the name of the machine',
      services: ['dispatch'],
      sentence: 'Host name that the relay is greeted with.',
    },
    {
      key: 'domainConcurrency',
      suffix: 'DOMAIN_CONCURRENCY',
      kind: 'integer',
      fallbackText: String(DOMAIN_CONCURRENCY),
      services: ['dispatch'],
      sentence: 'Emails to one recipient domain that may be unanswered at once.',
    },
  ],
  concurrency: 20,
  async create(account, _context) {
    const { SmtpAdapter } = await import('./smtp.adapter.js');
    const { host = '', port, username = '', password = '', ehloName = '' } = account.settings;
    const security = (account.settings.security || 'starttls') as SmtpSecurity;
    const { domainConcurrency } = account.settings;
    return new SmtpAdapter({
      id: account.id,
      host,
      port: port ? Number(port) : security === 'tls' ? 465 : 587,
      security,
      username,
      password,
      ehloName,
      capacity: emailCapacityOf(
        smtp.concurrency,
        account,
        Number(domainConcurrency || DOMAIN_CONCURRENCY),
      ),
    });
  },
};
