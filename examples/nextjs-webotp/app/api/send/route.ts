import { cookies } from 'next/headers';
import { COOKIE, OTP } from '../../../lib/session';
import { answerOf, watchword } from '../../../lib/watchword';

export function POST(request: Request): Promise<Response> {
  return answerOf(async () => {
    const form = await request.formData();
    const phone = String(form.get('phone')).replaceAll(' ', '');
    const { id } = await watchword().otp.send({ phone_number: phone });
    (await cookies()).set(OTP, id, COOKIE);
    return Response.json({});
  });
}
