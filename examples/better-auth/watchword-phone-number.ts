/**
 * Better Auth's sign-in by phone number, with codes that Watchword makes, sends and checks. Better Auth makes a code,
 * too, and stores it; nobody gets to see that one, and it opens nothing.
 */
import { APIError } from 'better-auth/api';
import { phoneNumber, type PhoneNumberOptions } from 'better-auth/plugins';
import { ApiError, type Watchword } from 'watchword';

/** Seconds for which the id of a code is stored: the longest life of a code. */
const ID_LIVES_SECONDS = 3_600;

type Context = Parameters<PhoneNumberOptions['sendOTP']>[1];

const identifierOf = (phone: string) => `watchword-otp-${phone}`;

export function watchwordPhoneNumber(
  client: Watchword,
  options: Omit<PhoneNumberOptions, 'sendOTP' | 'verifyOTP'> = {},
) {
  return phoneNumber({
    phoneNumberValidator: (phone) => /^\+[1-9]\d{6,14}$/.test(phone),
    ...options,
    async sendOTP({ phoneNumber: phone }, context) {
      const adapter = adapterOf(context);
      const { id } = await client.otp.send({ phone_number: phone });
      await adapter.deleteVerificationByIdentifier(identifierOf(phone));
      await adapter.createVerificationValue({
        identifier: identifierOf(phone),
        value: id,
        expiresAt: new Date(Date.now() + ID_LIVES_SECONDS * 1_000),
      });
    },
    async verifyOTP({ phoneNumber: phone, code }, context) {
      const adapter = adapterOf(context);
      const stored = await adapter.findVerificationValue(identifierOf(phone));
      if (!stored) return false;
      const isRight = await isValid(client, stored.value, code);
      if (isRight) await adapter.deleteVerificationByIdentifier(identifierOf(phone));
      return isRight;
    },
  });
}

/** Whether the code is right. A code that has expired or had too many guesses is a wrong one. */
async function isValid(client: Watchword, otpId: string, code: string): Promise<boolean> {
  try {
    const { valid } = await client.otp.verify({ otp_id: otpId, code });
    return valid;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Without a status, the SDK has refused the input itself.
    const { status = 400 } = error;
    if (status >= 500) throw new APIError('SERVICE_UNAVAILABLE', { message: error.message });
    if (status === 429) throw new APIError('TOO_MANY_REQUESTS', { message: error.message });
    return false;
  }
}

function adapterOf(context: Context) {
  if (!context) throw new Error('Better Auth called the plug-in without a context.');
  return context.context.internalAdapter;
}
