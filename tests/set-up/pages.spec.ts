import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'apps/web/src');

/** Operations that no page calls, with the reason. */
const WITHOUT_PAGE: Readonly<Record<string, string>> = {
  streamOwnEvents: 'The browser opens it as an event source.',
  confirmEmail: 'The link of the email leads to a page of the gateway.',
  redeemPasswordReset: 'The link of the email leads to a page of the gateway.',
  getOwnWorkspace: 'The session has the workspace.',
  listOwnEmails: 'The search lists emails with everything else.',
  getPayment: 'The list has every field.',
  verifyOtp: 'The program that shows the field for the code calls it.',
  listOtps: 'The search lists them with everything else.',
  getOtp: 'The page of a message reads more of it.',
  listAllMessages: 'The search lists them with everything else.',
  listMessages: 'The search lists them with everything else.',
  getMessage: 'The page of a message reads more of it.',
  listEmails: 'The search lists them with everything else.',
  getEmail: 'The page of a message reads more of it.',
  sendMessage: 'The playground sends by /v1/sms/send, which asks for less.',
  sendMessageBatch: 'For programs.',
  sendEmailBatch: 'For programs.',
  getSmsTemplate: 'The list has every field.',
  getDomain: 'The list has every field.',
  getBalance: 'The session has the balance.',
  listLedgerEntries: 'The dashboard has the same list with CSV.',
  listEvents: 'The stream has the same events.',
  startDeviceLogIn: 'The command line calls it.',
  pollDeviceLogIn: 'The command line calls it.',
  getHealth: 'For load balancers.',
  getReadiness: 'For load balancers.',
};

interface Operation {
  id: string;
  call: string;
}

const operations = ['openapi-operator', 'openapi-dashboard', 'openapi'].flatMap(operationsOf);
const calls = callsOfPages();

function operationsOf(name: string): Operation[] {
  const text = readFileSync(join(root, `docs/reference/${name}.json`), 'utf8');
  const { paths } = JSON.parse(text) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id }]) =>
      id === undefined ? [] : [{ id, call: `${method.toUpperCase()} ${path}` }],
    ),
  );
}

function callsOfPages(): Set<string> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('generated'))
    .map((name) => readFileSync(join(source, name), 'utf8'));
  const pattern = /\.(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g;
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(pattern)].map(([, method, path]) => `${method} ${path}`),
    ),
  );
}

describe('The pages at /app', () => {
  it('call every operation of the API, or WITHOUT_PAGE says why not', () => {
    const missing = operations.filter(({ id, call }) => !calls.has(call) && !(id in WITHOUT_PAGE));
    expect(missing).toEqual([]);
  });

  it('call none of those that WITHOUT_PAGE excuses', () => {
    const ids = new Set(operations.filter(({ call }) => !calls.has(call)).map(({ id }) => id));
    expect(Object.keys(WITHOUT_PAGE).filter((id) => !ids.has(id))).toEqual([]);
  });
});
