import { Controller, Inject, Req, Res } from '@nestjs/common';
import { linkSettingsOf } from '@watchword/config';
import { asId, type Language, routes } from '@watchword/contracts';
import { EmailTokens, emailTokenSecret, linkSecretAt, type LinkSettings } from '@watchword/email';
import type { Logger } from '@watchword/observability';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnswerLanguage, IsLimited, Token } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { type EmailHit, EmailHitsHandler } from '../../messages/email/email-hits.handler.js';
import { isMachine } from '../../messages/email/machine-hit.policy.js';
import { askPage, donePage, PAGE_POLICY, unknownLinkPage } from './unsubscribe-page.policy.js';

/** One transparent pixel, 43 bytes. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** Targets of the links in emails: opens, clicks and unsubscribes. */
@Controller()
export class LinksController {
  private readonly links: LinkSettings;
  private readonly trustedProxies: number;
  private readonly secrets: readonly string[];
  private readonly logger: Logger;

  constructor(
    @Inject(PLATFORM) { config, logger }: Platform,
    @Inject(EmailHitsHandler) private readonly hits: EmailHitsHandler,
  ) {
    this.links = linkSettingsOf(config);
    this.trustedProxies = config.trustedProxies;
    this.secrets = config.callbackSecrets.map(emailTokenSecret);
    this.logger = logger;
  }

  /**
   * Returns an image for every token, because a broken one helps no reader. Beyond the limit the open
   * is not recorded.
   */
  @Operation(routes.trackOpen)
  async open(
    @Token() token: string,
    @IsLimited() isLimited: boolean,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const ref = this.tokensAt(request).readOpen(token.replace(/\.gif$/, ''));
    if (ref !== null && !isLimited) {
      const { isByMachine, ...visitor } = this.visitorOf(request);
      await this.note({
        ...{ kind: 'opened', email_id: ref.emailId, recipient: ref.recipient },
        open: { ...visitor, machine_open: isByMachine },
      });
    }
    reply.header('cache-control', 'no-store').header('content-type', 'image/gif');
    reply.code(200).send(PIXEL);
  }

  /**
   * Redirects only to the target in the signed token. Beyond the limit the click is not recorded.
   */
  @Operation(routes.trackClick)
  async click(
    @Token() token: string,
    @IsLimited() isLimited: boolean,
    @AnswerLanguage() language: Language,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const click = this.tokensAt(request).readClick(token);
    const target = click === null ? null : webAddress(click.url);
    if (click === null || target === null) return sendPage(reply, 404, unknownLinkPage(language));
    if (!isLimited) {
      const { isByMachine, ...visitor } = this.visitorOf(request);
      await this.note({
        ...{ kind: 'clicked', email_id: click.emailId, recipient: click.recipient },
        click: { url: click.url, ...visitor, machine_click: isByMachine },
      });
    }
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    reply.code(302).header('location', target).send();
  }

  @Operation(routes.showUnsubscribe)
  show(
    @Token() token: string,
    @AnswerLanguage() language: Language,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const ref = this.tokensAt(request).readUnsubscribe(token);
    if (ref === null) return sendPage(reply, 404, unknownLinkPage(language));
    sendPage(reply, 200, askPage(ref.address, language));
  }

  /** Answers when the report is on the bus. After an error a mail program asks again. */
  @Operation(routes.unsubscribe)
  async unsubscribe(
    @Token() token: string,
    @AnswerLanguage() language: Language,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const ref = this.tokensAt(request).readUnsubscribe(token);
    if (ref === null) return sendPage(reply, 404, unknownLinkPage(language));
    await this.hits.take({
      ...{ kind: 'unsubscribed', email_id: ref.emailId, recipient: ref.recipient },
      ...{ workspace_id: asId(ref.workspaceId), address: ref.address },
    });
    sendPage(reply, 200, donePage(ref.address, language));
  }

  /**
   * Returns the tokens of the request's host. A token for one sender's link host is invalid under
   * every other name.
   */
  private tokensAt({ headers }: FastifyRequest): EmailTokens {
    const host = (headers.host ?? '').replace(/:\d+$/, '');
    return new EmailTokens(...this.secrets.map((one) => linkSecretAt(this.links, one, host)));
  }

  /** Records a hit. The reader gets the image or the page, even when the hit cannot be counted. */
  private async note(hit: EmailHit): Promise<void> {
    await this.hits.take(hit).catch((error: unknown) => {
      this.logger.warn({ err: error, kind: hit.kind }, 'a click or open was not counted');
    });
  }

  private visitorOf(request: FastifyRequest) {
    const ip = clientIpOf(request, this.trustedProxies);
    const userAgent = request.headers['user-agent']?.slice(0, 512) ?? null;
    const isByMachine = isMachine({ method: request.method, ip, userAgent });
    return { ip, user_agent: userAgent, isByMachine };
  }
}

/** Returns a web address in the form of a header, or null. */
function webAddress(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

function sendPage(reply: FastifyReply, status: number, page: string): void {
  reply.header('cache-control', 'no-store').header('content-security-policy', PAGE_POLICY);
  reply.header('vary', 'accept-language');
  reply.code(status).header('content-type', 'text/html; charset=utf-8').send(page);
}
