import { afterAll, describe, expect, it } from '@jest/globals';
import { buttonsOf, closeConsole, openConsole } from './page.kit.js';

afterAll(closeConsole);

type Status = 'pending' | 'approved' | 'active' | 'suspended' | 'rejected';

const review = (country: string, status: Status, more = {}) => ({
  ...{ country, status, rejection_reason: null, dnd_whitelisted: false, reviewed_at: null },
  ...more,
});

const senderOf = (reviews: object[], more = {}) => ({
  ...{ id: 's1', sender_id: 'Acme', status: 'pending', countries: ['GH', 'KE', 'NG'], reviews },
  ...{ registered_entity: 'Acme Ltd', use_case: 'Orders', sample_message: 'Hello' },
  ...{ registration_doc_url: null, notes: null, created_at: '2026-11-01T00:00:00Z', ...more },
});

async function openWith(reviews: object[], more = {}) {
  const page = await openConsole(({ method, path }) =>
    method === 'GET' && path.includes('/sender-ids')
      ? [200, { data: [senderOf(reviews, more)] }]
      : undefined,
  );
  await page.open('#sender-ids');
  const steps = () => buttonsOf(page).filter((word) => word !== 'Show');
  const posted = () => page.calls.filter(({ method }) => method === 'POST').map((one) => one.body);
  return { page, steps, posted };
}

describe('a sender ID with one decided country', () => {
  const REVIEWS = [review('GH', 'approved'), review('KE', 'pending'), review('NG', 'pending')];

  it('is decided in the countries that await it alone', async () => {
    const { page, steps, posted } = await openWith(REVIEWS);
    expect(steps()).toEqual(['Approve', 'Reject', 'Activate', 'Suspend']);
    await page.press('Approve');
    expect(page.asked).toEqual(['Approve Acme in KE, NG?']);
    expect(posted()).toEqual([{ countries: ['KE', 'NG'], status: 'approved' }]);
    expect(page.note.textContent).toBe('Acme is approved in KE, NG.');
  });

  it('is suspended where it is approved or active', async () => {
    const { page, posted } = await openWith([...REVIEWS, review('ZA', 'active')]);
    await page.press('Suspend');
    expect(posted()).toEqual([
      { countries: ['GH', 'ZA'], status: 'suspended', reason: 'Ticket 7' },
    ]);
  });
});

it('an approval ends no suspension on the way', async () => {
  const { page, steps, posted } = await openWith([
    review('KE', 'pending'),
    review('NG', 'suspended'),
  ]);
  expect(steps()).toEqual(['Approve', 'Reject', 'Approve again']);
  await page.press('Approve');
  await page.press('Approve again');
  expect(posted()).toEqual([
    { countries: ['KE'], status: 'approved' },
    { countries: ['NG'], status: 'approved' },
  ]);
});

describe('what a reviewer decides by', () => {
  it('is shown: document, notes, and the review of each country', async () => {
    const url = 'https://example.com/registration.pdf';
    const reviews = [
      review('KE', 'rejected', {
        ...{ rejection_reason: 'Not the owner', reviewed_at: '2026-11-02T09:00:00.000Z' },
      }),
      review('NG', 'approved', { dnd_whitelisted: true }),
    ];
    const { page } = await openWith(reviews, { registration_doc_url: url, notes: 'Please hurry' });
    const text = page.main.textContent.replaceAll(/\s+/g, ' ');
    expect(text).toContain('KE rejected 2026-11-02 09:00:00, Not the owner');
    expect(text).toContain('NG approved reaches Do Not Disturb numbers');
    expect(text).toContain('Please hurry');
    const links = page.main.querySelectorAll('a');
    expect(links).toMatchObject([{ href: url, target: '_blank', rel: 'noreferrer' }]);
  });

  it.each(['javascript:alert(1)', 'http://example.com/a.pdf', 'no address'])(
    '%s is a text and no link',
    async (url) => {
      const { page } = await openWith([review('NG', 'pending')], { registration_doc_url: url });
      expect(page.main.querySelectorAll('a')).toEqual([]);
      expect(page.main.textContent).toContain(url);
    },
  );
});
