import { languagesOf } from './refusal-languages.js';

/** What the words of a refusal speak of. Read only where its codes do not say. */
export interface RefusalWords {
  /** The mailbox does not exist or is closed, and nothing else is named as the cause. */
  readonly mailbox: boolean;
  /** A cause is named that is not the mailbox. */
  readonly other: boolean;
  /** The server refuses to carry email for us: relaying, login, a command or a parameter. */
  readonly relay: boolean;
  readonly rate: boolean;
  readonly full: boolean;
  readonly size: boolean;
  readonly content: boolean;
}

const ANSWER_LENGTH_MAX = 2_000;
/** Addresses and links can hold any word. Postfix names its tables, sendmail the client. */
const NAMES =
  /<[^<>\s]{1,400}>|[^\s<>:;,"'()[\]]{1,320}@[^\s<>:;,"'()[\]]{1,255}|\bhttps?:\/\/\S{1,400}|\bin (?:local|relay|virtual(?: \w+)?) (?:recipient|mailbox|alias) table|\b(?:relay|host|helo)=\S{1,256}/g;

const MAILBOX = String.raw`(?:user(?: ?name)?|mail ?box|in-?box|recipient|addressee|account|alias|local[ -]?part|customer|subscriber|person|(?:e-?mail )?address)`;
/** Few words may stand between the mailbox and its state: "User <x> is unknown". */
const BETWEEN = String.raw`(?:[ ,:'"\-]{1,4}[\w.'-]{1,64}){0,6}?[ ,:'"\-]{1,4}`;
const STATE = String.raw`(?:unknown|invalid|unavailable|not available|disabled|deactivated|inactive|closed|discontinued|terminated|suspended|deleted|removed|frozen|archived|expired|non-?exist[ae]nt|not exist(?:s|ing)?|(?:does|do|did)(?: not|n't|nt) (?:exist|have an?)|not found|(?:could|can)(?: ?not|n't) (?:be )?(?:found|find)|not (?:be )?(?:found|known|valid|recogni[sz]ed|listed|registered|active|enabled|local)|no longer|undeliverable|never logged)`;
const BEFORE = String.raw`(?:no such|unknown|invalid|bad|illegal|non-?exist[ae]nt|inactive|disabled|closed|unrout(?:e)?able|undeliverable|no|not an?|not an? (?:known|valid|active|local)|isn't an?|(?:(?:could|can)(?: ?not|n't)|(?:unable|failed) to) (?:find|locate)(?: an?| the| your)?|there is no(?: such)?)`;

const PATTERNS = {
  mailboxThenState: new RegExp(String.raw`\b${MAILBOX}\b${BETWEEN}${STATE}\b`),
  stateThenMailbox: new RegExp(
    String.raw`\b${BEFORE}[ :'"-]{1,3}(?:(?:destination|local|remote|mail|valid|known|active|such|e-?mail|hotmail|intended|mailbox)[ -]){0,2}${MAILBOX}\b`,
  ),
  other:
    /recip(?:ient)?notfound|no one (?:here )?by that name|not? (?:a )?mailbox here|not our customer|\bdoes(?: not|n't) have an? \S{1,80} account|\baccount\b.{0,40}\bdoes(?: not|n't) exist/,
} as const;

const RELAY =
  /\brelay|\brcpthosts\b|\bauthentication (?:is )?(?:required|needed)|\bauthenticate first\b|\blog ?in first\b|\bmust (?:authenticate|log in|issue)\b|\bauth(?:entication)? (?:first|required)|\bunknown (?:parameter|command|option)|\b(?:unsupported|unrecogni[sz]ed) (?:parameter|command|option)|\bclient host rejected|\bpasswords?\b|\bcredentials\b|\bnot (?:implemented|authenticated)\b/;
const RATE =
  /\brates?\b|\brate[ -]?limit|\bfrequen|\btoo (?:many|fast|often|quickly|much (?:mail|e-?mail))\b|\bthrottl|\bper (?:second|minute|hour|day)\b|\blimit exceeded|\bexceed\w* .{0,40}\blimit/;
const FULL =
  /\bmail ?box (?:is |was |has )?(?:full|exceed)|\binbox (?:is )?full|\bover[ -]?quota|\bquota\b|\b(?:user|account|recipient)\b.{0,40}\bfull\b|\bout of (?:storage|space)|\b(?:insufficient|not enough|exceed\w*)\b.{0,30}\b(?:storage|space)\b/;
const SIZE = /\btoo (?:large|big|long)\b|\bsize\b|\b(?:message|mail|email)\b.{0,30}\bexceed/;
const CONTENT =
  /\bspam|\bjunk\b|\bvirus|\bmalware|\bphish|\bcontents?\b|\bunsolicited|\bbulk\b|\battachment|\bheaders?\b|\bsubject\b|\blooks like\b/;
/** Policy, senders, lists and proofs of a sender: the same mailbox takes other email. */
const POLICY =
  /\bsenders?\b|\bsender's\b|\bsending\b|\boriginat(?:or|ing)\b|\breply-to\b|\bcallback setup\b|\breturn[ -]path|\benvelope[ -]from|\bmail from\b|\bfrom (?:address|domain|header)|\bpolic(?:y|ies)\b|\bspf\b|\bdkim\b|\bdmarc\b|\breputation|\b(?:black|block|deny|white|allow|grey|gray)[ -]?list|\bdnsbl|\brbls?\b|\bsurbl|\bspamhaus|\bblocked\b|(?<!not )\blisted\b|\blists?\b|\btemporar|\btry again\b|\blater\b|\bdynamic\b|\bbann?ed\b|\breverse dns|\bptr\b|\bhelo\b|\bip address|\byour (?:account|ip|host|server|domain|email|message|mail)\b(?! (?:to|could|can|was not delivered))|\bnot (?:allowed|permitted|authori[sz]ed)|\brestrict|\bprohibit|(?<!\baccount (?:is |has |was )?)\bexpired\b|\btimed? ?out|\bverif(?:y|ication) failed|\bhosts?\b.{0,20}\b(?:unknown|not found)|\bdomain\b.{0,30}\b(?:exist|found|unknown|invalid)|\b(?:unknown|invalid|no such) (?:host|domain)/;
const ACCESS_DENIED = /\b(?:access|permission|service) (?:is )?(?:denied|unavailable|refused)/;

/** Details of codes about the recipient's address: "other address status", and Exchange's directory. */
const OF_ADDRESS = ['1.0', '4.1'];

/**
 * `detail` is that of the enhanced code. A server that refuses by its directory writes "Access
 * denied" (5.4.1, Exchange).
 */
export function wordsOf(text: string, detail: string | null = null): RefusalWords {
  const words = text
    .slice(0, ANSWER_LENGTH_MAX)
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/\r?\n[245]\d\d[ -]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .replaceAll(NAMES, ' ')
    .replaceAll(/ {2,}/g, ' ');
  const languages = languagesOf(words);
  const [relay, rate, isFull, size, content] = [RELAY, RATE, FULL, SIZE, CONTENT].map((pattern) =>
    pattern.test(words),
  ) as [boolean, boolean, boolean, boolean, boolean];
  const full = isFull || languages.full;
  const isOther =
    [relay, rate, full, size, content, POLICY.test(words)].includes(true) ||
    (detail !== '4.1' && ACCESS_DENIED.test(words));
  const isMailbox =
    languages.mailbox ||
    Object.values(PATTERNS).some((pattern) => pattern.test(words)) ||
    (OF_ADDRESS.includes(detail ?? '') && /\baddress rejected\b/.test(words));
  return { mailbox: isMailbox && !isOther, other: isOther, relay, rate, full, size, content };
}
