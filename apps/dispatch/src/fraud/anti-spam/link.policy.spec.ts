import { expect, it } from '@jest/globals';
import { linkSigns } from './link.policy.js';

const signs = (text: string) => [...(linkSigns(text) ?? ['no link'])].toSorted();

it.each([
  ['see https://example.com/a', []],
  ['see example.com.', []],
  ['at noon.call me, v1.2 costs 3.50', ['no link']],
  ['write to jane@example.com', ['no link']],
  ['(bit.ly/3xy)', ['url_shortener']],
  ['http://bit.ly/3xy', ['url_plain_http', 'url_shortener']],
  ['https://41.203.88.12/x', ['url_raw_ip']],
  ['41.203.88.12/x', ['url_raw_ip']],
  ['https://user:pw@example.com', ['url_user_info']],
  ['https://xn--mnchen-3ya.com', ['url_many_hyphens', 'url_punycode']],
  ['example.xyz', ['url_risky_domain']],
  ['wa.me/234800', ['messenger_handoff']],
  ['https://a-b-c.example.com', ['url_many_hyphens']],
  ['https://secure-login.example.com', []],
  ['https://secure-login.com', ['url_lure_word']],
])('anti-spam finds the expected link signs in %s', (text, expected) => {
  expect(signs(text)).toEqual(expected);
});

it.each([
  ['https://www.gtbank.com/x', []],
  ['https://mtn.bj', []],
  ['https://online.hmrc.gov.uk', []],
  ['https://netflix.zendesk.com', []],
  ['https://elm.nhs.uk', []],
  ['https://claim.nhs.tk', ['brand_lookalike', 'url_risky_domain']],
  ['https://orange-county.com', []],
  ['https://gtbank-update.com', ['brand_lookalike', 'url_lure_word']],
  ['https://netflix.help-centre.com', ['brand_lookalike', 'url_lure_word']],
  ['https://mygtbankonline.com', ['brand_lookalike']],
  ['https://orange-secure.com', ['brand_lookalike', 'url_lure_word']],
])('anti-spam finds imitations of brands in %s', (text, expected) => {
  expect(signs(text)).toEqual(expected);
});

it.each([
  ['acme: see https://acme.com', []],
  ['acme bank: see https://acme-bank.com', []],
  ['acme: see https://acme-desk.com', ['borrowed_name']],
  ['acme: see https://acme.desk.com', ['borrowed_name']],
])('anti-spam allows links to the domain of the sender: %s', (text, expected) => {
  expect(signs(text)).toEqual(expected);
});
