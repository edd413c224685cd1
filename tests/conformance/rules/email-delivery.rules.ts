/** Email after its acceptance: decisions 20 and 26. */
import { section } from '../rule.ts';

const emails = 'apps/dispatch/test/emails';
const retries = 'apps/dispatch/test/email-retries';
const recovery = 'apps/dispatch/test/email-recovery';
const life = 'apps/dispatch/test/email-life';
const bySmtp = 'apps/dispatch/test/email-by-smtp';
const domains = 'apps/dispatch/test/domains';
const status = 'apps/dispatch/src/emails/email-status.policy';
const listener = 'apps/gateway/test/inbound-smtp';
const answers = 'libs/email/src/smtp-answer.policy';
const reports = 'libs/email/src/report-message';
const sns = 'tests/providers/sns';
const mailbox = 'tests/api/mailbox';
const links = 'tests/api/email-links';
const scripted = 'apps/carrier-sim/test/mail';
const testMode = 'tests/api/email-test-mode';

export const emailDeliveryRules = [
  section('Decisions 20 and 26: the delivery of an email', [
    [
      'decisions 20 copies',
      'are one SMTP transaction for each recipient, signed, with Bcc hidden',
      `${bySmtp}: arrives signed, once for each recipient, under a return path that names it`,
      `${recovery}: hand each copy over once when it comes due`,
      'libs/email/test/dkim-verdicts: have signatures that mailauth verifies',
    ],
    [
      'decisions 26 SMTP answers',
      'are read by their stage and code: permanent, transient, content, or the provider’s fault',
      `${answers}: %s: %s is %s`,
      'tests/providers/smtp-answers: every answer of the matrix',
      'libs/carriers/src/smtp/smtp.adapter: the answers of an SMTP server',
    ],
    [
      'decisions 26 status codes of reports',
      'are read as those at SMTP are',
      `${answers}: %s %j is %s %s`,
      `${reports}: a report`,
      `${reports}: a report of OpenSMTPD`,
      `${mailbox}: bounces later by a notification: %s`,
    ],
    [
      'decisions 20 permanent bounce',
      'suppresses the address',
      `${mailbox}: bounces at once when the relay knows no such mailbox, and the address is suppressed`,
      `${emails}: whose address bounces suppresses it before the next is handed over`,
    ],
    [
      'decisions 20 retries',
      'of a 4xx last 24 hours, then the email bounces as transient',
      `${emails}: is tried again after a 4xx, for 24 hours`,
      `${retries}: bounces as mailbox_full when the receiver answers that for 24 hours`,
    ],
    [
      'decisions 20 providers',
      'are tried in turn, and the email fails when none of them takes it',
      `${emails}: goes to the next provider when the first cannot be reached`,
      `${retries}: waits where one of them may come back, though another refuses for good`,
      `${retries}: fails at once where all refuse for good, and after 24 hours where none comes back`,
    ],
    [
      'decisions 20 ambiguity',
      'stays with its provider, and never becomes a failure',
      `${retries}: goes to no other provider, however long its own refuses it`,
      `${retries}: is handed over three times at most, and counts as sent`,
      `${retries}: is never failed: %s`,
      `${recovery}: is an ambiguity, which the time settles by one more hand-over`,
    ],
    [
      'decisions 20 lost answer',
      'sends nothing twice when a report settles it',
      `${mailbox}: whose answer is lost is not sent twice, and its notification settles it`,
      `${recovery}: takes its answer all the same when it comes late`,
    ],
    [
      'decisions 20 own status',
      'is complained before bounced before delivered before sent; queued while any is',
      `${status}: follows from its recipients as the specification says`,
      `${status}: knows neither the order of the recipients nor how often a state occurs`,
    ],
    [
      'decisions 26 failed recipients',
      'are ignored in the own status unless all failed',
      `${status}: is that of the others where some failed`,
    ],
    [
      'decisions 26 refund',
      'comes only when the whole email failed or is cancelled',
      `${emails}: whose address bounces suppresses it before the next is handed over`,
      'tests/api/emails: a failed hop names its reason and whether the email was refunded',
      `${life}: is cancelled once, with its refund, and not when it was handed over`,
    ],
    [
      'decisions 26 events of emails',
      'come once for each recipient; email.queued and email.cancelled once for each email',
      `${emails}: is handed over once for each recipient, and announced`,
      `${emails}: publishes each report once, in any order of arrival`,
      `${life}: is cancelled once, with its refund, and not when it was handed over`,
    ],
    [
      'decisions 20 email events',
      'leave out html and text, and go to endpoints of variant B only',
      'apps/webhooks/src/events/occurrence.policy: %s has a body of variant B alone',
    ],
    [
      'decisions 20 found after acceptance',
      'a suppression or a lost domain fails the email with its reason',
      `${emails}: of a domain that lost its verification fails`,
      `${emails}: whose address bounces suppresses it before the next is handed over`,
    ],
    [
      'decisions 20 race of a bounce',
      'with the next emails to its address keeps back each that is accepted after it',
      `${recovery}: keeps back each that is accepted after it, and none is handed over twice`,
      'tests/api/email-suppression-race: suppresses it before another is accepted: %s',
    ],
    [
      'decisions 20 complaint',
      'comes after the delivery and suppresses the address',
      `${mailbox}: is complained about after it was delivered`,
      `${emails}: suppresses a complainer, and an unsubscriber from marketing alone`,
    ],
    [
      'decisions 26 content',
      'is encrypted under its hash, purged when neither young nor referred to, shown for 30 days',
      `${life}: is encrypted, and purged when it is neither young nor referred to`,
    ],
  ]),
  section('Decisions 20 and 26: reports, forgeries and return paths', [
    [
      'decisions 26 listener',
      'admits live signed addresses only, and relays nothing',
      `${listener}: to addresses that are not ours`,
      'libs/email/src/tokens: is refused when a character of it differs, or was signed by others',
      'libs/email/src/tokens: expires',
    ],
    [
      'decisions 26 DSN',
      'counts from the empty sender only, and its token names the recipient',
      `${listener}: from people: only servers write notifications, from the empty address`,
      `${listener}: takes the recipient from the signed address, never from the report`,
      `${mailbox}: is not bounced by a notification from a person`,
      `${reports}: %s says nothing`,
    ],
    [
      'decisions 26 ARF',
      'is a complaint with our token from any sender',
      `${listener}: reports a complaint from any sender`,
      `${listener}: with %s`,
    ],
    [
      'decisions 26 size and rate of reports',
      'are bounded',
      `${listener}: with more than an email may have`,
      `${listener}: again and again: twenty messages an hour about one recipient`,
      `${listener}: six hundred unknown recipients a minute of one address; valid ones do not count`,
    ],
    [
      'decisions 26 SES notifications',
      'need a known topic, and a certificate and confirmation at the hosts of AWS',
      `${sns}: are forged, or say nothing, when anything of them is changed`,
      `${sns}: are forged where only the hosts of Amazon are believed`,
      `${sns}: are forged when their key is not that of the certificate`,
      `${sns}: confirm a subscription at the host of SNS only`,
      `${sns}: say nothing about emails that are not ours`,
    ],
    [
      'decisions 26 return path',
      'is send.<domain> once its MX and SPF are verified, else BOUNCE_DOMAIN',
      `${mailbox}: reaches the mailbox, signed for its domain, and is delivered by a notification`,
      `${bySmtp}: arrives signed, once for each recipient, under a return path that names it`,
    ],
    [
      'decisions 26 mailbox',
      'shows one entry for each SMTP transaction, by to and since, and can be emptied',
      `${scripted}: shows what came, one for each envelope recipient, oldest first`,
    ],
    [
      'decisions 26 simulated reports',
      'are real DSNs, and the simulator answers DNS',
      `${scripted}: say delivered when that was asked for`,
      `${scripted}: answers what was put, over TCP where it is long`,
      `${mailbox}: reaches the mailbox, signed for its domain, and is delivered by a notification`,
    ],
  ]),
  section('Decisions 20 and 26: domains, links and test addresses', [
    [
      'decisions 20 DKIM',
      'alone is required: RSA-2048, a selector from the id, an own duplicate is 409',
      `${domains}: shows records with a usable key, ready to paste`,
      `${domains}: is verified by its DKIM record alone, however its strings are split`,
      `${domains}: refuses the duplicate of a workspace, and replays a creation`,
    ],
    [
      'decisions 20 daily check',
      'gives 72 hours of grace, in which emails are still sent',
      `${domains}: is looked up again daily, keeps sending for 72 hours without its record, then fails`,
      `${domains}: keeps its state for an hour, sends for 72, then fails with an event`,
      `${domains}: is verified again, without an event, when they answer within the grace`,
      `${domains}: keeps its status, however long that takes`,
    ],
    [
      'decisions 26 TRACKING',
      'is a record only where TRACKING_HOST is set; the links of its domain use its host',
      `${domains}: shows records with a usable key, ready to paste`,
      `${bySmtp}: lead over the host of the domain once its TRACKING record is found`,
      'tests/api/link-hosts: of a domain with a TRACKING record count at its own host alone',
    ],
    [
      'decisions 20 click redirect',
      'leads to signed targets of the email only',
      `${links}: with a changed token, or of another host, lead nowhere`,
      'libs/email/src/tokens: is refused when a character of it differs',
      'libs/email/src/tokens: serves one purpose, and one installation',
      'libs/email/src/tracking: of %s lead through the click route',
    ],
    [
      'decisions 26 machine opens',
      'fire events with machine_open and do not count',
      `${links}: %s right after the delivery is one of a machine`,
      `${emails}: takes a hit too soon after the hand-over or the delivery for one of a machine`,
      `${testMode}: to %s@ is delivered, then touched`,
    ],
    [
      'decisions 20 one-click',
      'is announced by both headers, and both are signed',
      'libs/email/test/dkim-verdicts: sign both headers of a one-click unsubscribe',
      `${links}: unsubscribe by POST alone, from marketing email alone`,
    ],
    [
      'domain 8.5 addresses',
      'end as their names say, without an SMTP connection',
      `${life}: to %s ends as %s and is handed over to nobody`,
      `${testMode}: domain 8.5: a test email`,
      'apps/dispatch/src/emails/test-script.policy: domain 8.5: the script of a test email',
      'tests/api/emails: test mode: %s@sim.test ends as %s',
    ],
    [
      'domain 8.5 unverified',
      'as the From domain of a test is domain_unverified',
      'tests/api/emails: domain 8.5: a test send from %s is one from an unverified domain',
      'tests/api/emails: domain 8.5: a test send may come from another address of the simulator',
    ],
  ]),
];
