'use client';
import { type FormEvent, useEffect, useState } from 'react';

async function post(path: string, form: FormData) {
  const response = await fetch(path, { method: 'POST', body: form });
  const answer: { message?: string } = await response.json();
  if (!response.ok) throw new Error(answer.message);
}

export function SignIn() {
  const [isSent, setSent] = useState(false);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  useWebOtp(isSent, setCode);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setProblem('');
    try {
      await post(isSent ? '/api/verify' : '/api/send', new FormData(event.currentTarget));
      if (isSent) window.location.reload();
      setSent(true);
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  return (
    <form onSubmit={submit}>
      {isSent ? (
        <label>
          Code
          {/* Safari reads the text by this attribute, without the API below. */}
          <input
            key="code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            required
          />
        </label>
      ) : (
        <label>
          Phone number
          <input
            key="phone"
            name="phone"
            type="tel"
            autoComplete="tel"
            placeholder="+2348031234567"
            required
          />
        </label>
      )}
      <button>{isSent ? 'Sign in' : 'Send a code'}</button>
      <p role="alert">{problem}</p>
    </form>
  );
}

/** Chrome on Android offers the code of a text whose last line is `@<this host> #<code>`. */
function useWebOtp(isSent: boolean, setCode: (code: string) => void) {
  useEffect(() => {
    if (!isSent || !('OTPCredential' in window)) return;
    const waiting = new AbortController();
    const request = { otp: { transport: ['sms'] }, signal: waiting.signal };
    navigator.credentials
      .get(request as CredentialRequestOptions)
      .then((credential) => setCode((credential as unknown as { code: string }).code))
      // The person typed the code, or refused to share the text.
      .catch(() => undefined);
    return () => waiting.abort();
  }, [isSent, setCode]);
}
