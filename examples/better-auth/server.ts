/** A server whose only pages are those of Better Auth, with users in memory. */
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { Watchword } from 'watchword';
import { watchwordPhoneNumber } from './watchword-phone-number.ts';

const port = Number(process.env.PORT ?? 4002);

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${port}`,
  secret: process.env.BETTER_AUTH_SECRET,
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [
    watchwordPhoneNumber(new Watchword(), {
      signUpOnVerification: { getTempEmail: (phone) => `${phone.slice(1)}@phone.invalid` },
    }),
  ],
});

createServer(toNodeHandler(auth)).listen(port, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
