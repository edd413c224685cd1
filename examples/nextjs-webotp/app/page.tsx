import { cookies } from 'next/headers';
import { phoneOf, SESSION } from '../lib/session';
import { SignIn } from './sign-in';

export default async function Page() {
  const phone = phoneOf((await cookies()).get(SESSION)?.value);
  return <main>{phone === undefined ? <SignIn /> : <p>Signed in as {phone}</p>}</main>;
}
