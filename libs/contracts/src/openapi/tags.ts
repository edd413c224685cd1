/** Descriptions of the tags: the parts of the API. */
export const TAGS: Readonly<Record<string, string>> = {
  OTP: 'One-time passwords: send, verify, resend, cancel.',
  SMS: 'Transactional SMS of variant A, and the records of both variants.',
  Messaging: 'SMS with sender IDs: single, in batches, scheduled.',
  'Sender IDs': 'Registration of sender names, country by country.',
  'SMS templates': 'Texts with placeholders.',
  Emails: 'Email: single, in batches, scheduled.',
  Domains: 'Domains to send email from, and their DNS records.',
  Suppressions: 'Numbers that opted out, and email addresses that are not sent to.',
  Money: 'Prices, balance, ledger and quotes.',
  Events: 'What happened, as webhooks deliver it.',
  Webhooks: 'Endpoints of variant B, their deliveries and recoveries.',
  Health: 'Whether the service runs and can answer.',
  Accounts: 'Users, passwords and sessions.',
  Dashboard: 'A workspace, as its members see and change it.',
  Payments: 'Purchases of credits and the automatic top-up.',
  Operator: 'The platform, as its operators run it.',
};
