import { Controller, Res } from '@nestjs/common';
import { LANGUAGES, type Language, routes } from '@watchword/contracts';
import type { FastifyReply } from 'fastify';
import { AnswerLanguage } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { ACCOUNT_PAGE_POLICY, type AccountPage, accountPage } from './account-page.policy.js';

const PAGES = new Map(
  (['reset', 'confirm'] as const).flatMap((page) =>
    LANGUAGES.map((language) => [`${page} ${language}`, accountPage(page, language)] as const),
  ),
);

/** The pages behind links in account emails, the same for every user. */
@Controller()
export class AccountPagesController {
  @Operation(routes.showResetPassword)
  resetPassword(@AnswerLanguage() language: Language, @Res() reply: FastifyReply): void {
    send(reply, 'reset', language);
  }

  @Operation(routes.showConfirmEmail)
  confirmEmail(@AnswerLanguage() language: Language, @Res() reply: FastifyReply): void {
    send(reply, 'confirm', language);
  }
}

function send(reply: FastifyReply, page: AccountPage, language: Language): void {
  reply
    .code(200)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', ACCOUNT_PAGE_POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('vary', 'accept-language')
    .send(PAGES.get(`${page} ${language}`));
}
