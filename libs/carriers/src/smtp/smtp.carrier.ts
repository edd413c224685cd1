import {
  count,
  EmailAccountSettings,
  host,
  Member,
  oneOf,
  port,
  text,
} from '../account-settings.js';
import { type EmailCarrier, emailCapacityOf } from '../email/email-carrier.js';
import type { SmtpSecurity } from './smtp.adapter.js';

const DOMAIN_CONCURRENCY = 20;

class SmtpAccountSettings extends EmailAccountSettings {
  @Member(host, 'Mail relay that takes outgoing email.', { required: true, simulated: 'address' })
  readonly host: string = '';

  @Member(port, 'Port of that relay.', {
    fallbackText: '587, or 465 with security tls',
    simulated: 'address',
  })
  readonly port: number | null = null;

  @Member(
    oneOf('starttls', 'tls', 'none'),
    'How the connection is encrypted; an email is never sent in the clear unless none.',
    { simulated: 'address' },
  )
  readonly security: SmtpSecurity = 'starttls';

  @Member(text(), 'User at that relay.', { fallbackText: 'none: the relay knows this machine' })
  readonly username: string = '';

  @Member(text(), 'Password of that user.', { secret: true })
  readonly password: string = '';

  @Member(text('a host name', /^[A-Za-z0-9.-]+$/), 'Host name that the relay is greeted with.', {
    fallbackText: 'the name of the machine',
  })
  readonly ehloName: string = '';

  @Member(count, 'Emails to one recipient domain that may be unanswered at once.')
  readonly domainConcurrency: number = DOMAIN_CONCURRENCY;
}

/** An SMTP relay of the operator or of a provider. */
export const smtp: EmailCarrier<SmtpAccountSettings> = {
  token: 'smtp',
  title: 'SMTP relay',
  settings: SmtpAccountSettings,
  concurrency: 20,
  async create(account, _context) {
    const { SmtpAdapter } = await import('./smtp.adapter.js');
    const { settings } = account;
    const { security, username, password, ehloName, domainConcurrency } = settings;
    return new SmtpAdapter({
      id: account.id,
      host: settings.host,
      port: settings.port ?? (security === 'tls' ? 465 : 587),
      security,
      username,
      password,
      ehloName,
      capacity: emailCapacityOf(smtp.concurrency, account, domainConcurrency),
    });
  },
};
