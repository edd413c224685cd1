/** Languages of error texts: interface section 7; decisions 10. The type is the same in all of them. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { KEY_MISTAKES, UNKNOWN_RESOURCES } from '@watchword/contracts';
import { type Customer, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
let english: Customer;
let french: Customer;

beforeAll(async () => {
  english = await suite.customer({});
  french = await suite.customer({ settings: { default_language: 'fr' } });
});

const { otp: unknownOtp, sms: unknownSms } = UNKNOWN_RESOURCES;
const { noHeader: noKey } = KEY_MISTAKES;
const accepting = (language: string) => ({ headers: { 'accept-language': language } });

describe('error.message', () => {
  it('7: error.message is written in the default language of the workspace', async () => {
    const answers = [await english.getOtp(unknownId), await french.getSms(unknownId)];
    expect(answers.map(({ json }) => json.error.type)).toEqual(['not_found', 'not_found']);
    expect(answers.map(({ json }) => json.error.message)).toEqual([unknownOtp.en, unknownSms.fr]);
  });

  it('7: the sentence about one field has both languages too', async () => {
    const body = { phone_number: '+2348031234567', code_length: 9 };
    const answer = await french.sendOtp(body);
    expect(answer.json.error).toMatchObject({
      type: 'validation_error',
      field: 'code_length',
      message: 'code_length doit être au plus 8.',
    });
    const inEnglish = await french.sendOtp(body, accepting('en'));
    expect(inEnglish.json.error.message).toBe('code_length must be at most 8.');
  });

  it('7: without a key it is English, unless French is asked for', async () => {
    const path = `/v1/otp/${unknownId}`;
    const plain = await suite.http.get(path);
    const asked = await suite.http.get(path, accepting('fr'));
    expect([plain.json.error.message, asked.json.error.message]).toEqual([noKey.en, noKey.fr]);
  });
});
