import { expect, it } from '@jest/globals';
import { ApiError } from '@watchword/contracts';
import { asTwilioAnswers } from './twilio-envelope.policy.js';

const messageOf = (message: string) => {
  const body = JSON.stringify({ error: { message } });
  const own = {
    status: 400,
    type: 'validation_error',
    headers: {},
    body,
    unexpected: false,
  } as const;
  const answer = asTwilioAnswers(new ApiError('validation_error', { message }), own);
  return (JSON.parse(answer.body) as { message: string }).message;
};

it.each([
  ['phone_number must be in E.164 format.', 'To must be in E.164 format.'],
  ['Invalid parameter: phone_number is a landline.', 'Invalid parameter: To is a landline.'],
  ['sender_id must have 1 to 11 letters.', 'From must have 1 to 11 letters.'],
  ['message must have at most 10 segments.', 'Body must have at most 10 segments.'],
  ['cursor is not one that this list gave out.', 'PageToken is not one that this list gave out.'],
  ['The message is blocked.', 'The message is blocked.'],
])('Twilio’s libraries read "%s" with Twilio’s names', (ours, theirs) => {
  expect(messageOf(ours)).toBe(theirs);
});
