import { cookies } from 'next/headers';
import { COOKIE, OTP, SESSION, sessionOf } from '../../../lib/session';
import { answerOf, watchword } from '../../../lib/watchword';

export function POST(request: Request): Promise<Response> {
  return answerOf(async () => {
    const form = await request.formData();
    const jar = await cookies();
    const id = jar.get(OTP)?.value;
    if (id === undefined)
      return Response.json({ message: 'Ask for a code first.' }, { status: 400 });
    const { valid } = await watchword().otp.verify({ otp_id: id, code: String(form.get('code')) });
    if (!valid) return Response.json({ message: 'This code is wrong.' }, { status: 400 });
    // Who signs in follows from the id that was verified, never from what the browser says.
    const { phone_number: phone } = await watchword().otp.get(id);
    jar.delete(OTP);
    jar.set(SESSION, sessionOf(phone), COOKIE);
    return Response.json({});
  });
}
