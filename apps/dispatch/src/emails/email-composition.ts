import { Inject, Injectable } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import { linkSettingsOf } from '@watchword/config';
import {
  emailTokenSecret,
  EmailTokens,
  hasOwnLinks,
  type LinkSettings,
  linkSigning,
  ownLinks,
  UnsendableContent,
} from '@watchword/email';
import { type EmailContent, emailMessageId } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import { type Email, wordsOf } from './email.js';
import { type ContentRef, EmailContentStore, keyOfContent } from './email-content.store.js';
import { EMAIL_PARTS, type EmailParts, type SigningDomain } from './email-parts.port.js';

/** A copy that is ready to hand over. */
export interface Copy {
  readonly raw: Buffer;
  readonly returnPath: string;
}

/** Returns the copy of a recipient, by its index. */
export type MessageSource = (recipient: number) => Promise<Copy>;

/** Contents loaded at once. Each has at most 10 MiB. */
const LOADED_AT_ONCE = 16;
/** Milliseconds; longer than any server retries. */
const RETURN_PATH_LIFE_MS = 30 * 86_400_000;
/** Records of emails are kept at least so long (`RETENTION_MESSAGES_DAYS`); without one it would do nothing. */
const UNSUBSCRIBE_MAILBOX_LIFE_MS = 90 * 86_400_000;

/**
 * Composes the messages of an email. The bytes depend only on stored data, so a repeated hand-over
 * sends the same message. Only its links and return path can change, when the TRACKING record of its
 * domain comes or goes, or the secret changes. Recipients with equal copies share one composition.
 */
@Injectable()
export class EmailComposition {
  /** Where links in emails reach the gateway. */
  private readonly links: LinkSettings;
  /** Host of return paths for domains without their own. Empty where bounces are not received. */
  private readonly bounceDomain: string;
  private readonly tokens: EmailTokens;
  private readonly secret: string;
  private readonly loads: MicroBatcher<ContentRef, EmailContent | null>;

  constructor(
    private readonly contents: EmailContentStore,
    @Inject(EMAIL_PARTS) private readonly parts: Pick<EmailParts, 'composer'>,
    @Inject(PLATFORM) { config }: Platform,
  ) {
    const [callbackSecret = ''] = config.callbackSecrets;
    this.links = linkSettingsOf(config);
    this.bounceDomain = config.bounceDomain;
    this.tokens = EmailTokens.of(callbackSecret);
    this.secret = emailTokenSecret(callbackSecret);
    this.loads = new MicroBatcher({
      name: 'dispatch.email-contents',
      flush: (refs) => this.load(refs),
      sizeMax: LOADED_AT_ONCE,
      queueMax: Number.POSITIVE_INFINITY,
      inFlightMax: 2,
    });
  }

  of(email: Email, signing: SigningDomain | null): MessageSource {
    const isOwn = hasOwnLinks(wordsOf(email));
    const content = remembered(() => this.content(email));
    const compose = async (recipient: number) =>
      this.parts.composer.compose(this.order(email, await content(), signing, recipient));
    const shared = remembered(compose);
    return async (recipient) => {
      const raw = await (isOwn ? compose(recipient) : shared(recipient));
      return { raw, returnPath: this.returnPath(email, signing, recipient) };
    };
  }

  close(): Promise<void> {
    return this.parts.composer.close();
  }

  private async content(email: Email): Promise<EmailContent> {
    const ref = { workspaceId: email.workspaceId, sha256: wordsOf(email).content_sha256 };
    const content = await this.loads.submit(ref);
    if (content === null) throw new UnsendableContent('the content of an email is not stored');
    return content;
  }

  private async load(refs: readonly ContentRef[]): Promise<(EmailContent | null)[]> {
    const found = await this.contents.find(refs);
    return refs.map((ref) => found.get(keyOfContent(ref)) ?? null);
  }

  private order(
    email: Email,
    content: EmailContent,
    signing: SigningDomain | null,
    recipient: number,
  ) {
    const words = wordsOf(email);
    const owner = {
      ...{ emailId: email.id, recipient, workspaceId: email.workspaceId },
      address: words.recipients[recipient] ?? '',
    };
    const links = linkSigning(this.links, this.secret, ownTrackingDomain(signing));
    return {
      content: { ...words, ...content },
      messageId: emailMessageId(email.id, words.from_domain).slice(1, -1),
      dateMs: (email.queuedAt ?? email.createdAt).getTime(),
      dkim: signing && {
        domain: signing.name,
        selector: signing.selector,
        privateKeyPem: signing.privateKeyPem,
      },
      ...ownLinks(words, owner, links),
      ...(words.category === 'marketing' && {
        unsubscribeAddress: this.unsubscribeAddress(email, signing, recipient),
      }),
    };
  }

  /** Undefined where no mail comes back to this installation. */
  private unsubscribeAddress(
    email: Email,
    signing: SigningDomain | null,
    recipient: number,
  ): string | undefined {
    const host = this.mailHost(signing);
    if (host === '') return undefined;
    const expiresAt = leftAt(email) + UNSUBSCRIBE_MAILBOX_LIFE_MS;
    return `${this.tokens.unsubscribeMailbox({ emailId: email.id, recipient }, expiresAt)}@${host}`;
  }

  /**
   * Returns the return path, below the sender's domain once its MX and SPF are found, so that SPF
   * aligns with it.
   */
  private returnPath(email: Email, signing: SigningDomain | null, recipient: number): string {
    const host = this.mailHost(signing) || wordsOf(email).from_domain;
    const expiresAt = leftAt(email) + RETURN_PATH_LIFE_MS;
    return `${this.tokens.returnPath({ emailId: email.id, recipient }, expiresAt)}@${host}`;
  }

  /** Host of addresses that the listener takes mail for; empty where there is none. */
  private mailHost(signing: SigningDomain | null): string {
    const { MX: mx, SPF: spf } = signing?.recordStates ?? {};
    const isOwn = signing !== null && mx === 'verified' && spf === 'verified';
    return isOwn ? `send.${signing.name}` : this.bounceDomain;
  }
}

function leftAt({ sendAt, createdAt }: Email): number {
  return (sendAt ?? createdAt).getTime();
}

/** Returns the domain if its TRACKING record was found, so that its links use its own host. */
function ownTrackingDomain(signing: SigningDomain | null): string | null {
  return signing?.recordStates['TRACKING'] === 'verified' ? signing.name : null;
}

/** Calls once and keeps the result. A failure is dropped, so the next call tries again. */
function remembered<In extends unknown[], Out>(make: (...input: In) => Promise<Out>) {
  let made: Promise<Out> | undefined;
  return (...input: In): Promise<Out> => {
    made ??= make(...input).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
