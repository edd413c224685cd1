import { describe, expect, it } from '@jest/globals';
import { judge } from './spam-rules.policy.js';
import { SIGNALS } from './spam-signals.policy.js';

describe('rules', () => {
  it('judge in the order of weight, with a score that four points make even', () => {
    const verdict = judge('Your account is suspended. Verify it within 24hrs: https://bit.ly/3xY');
    expect(verdict).toMatchObject({ label: 'phishing', flagged: true });
    expect(verdict.score).toBeGreaterThan(0.9);
    expect(verdict.reasons.slice(0, 2)).toEqual(['url_shortener', 'account_threat']);
    expect(verdict.reasons).toContain('urgency');
    expect(judge('Play slots with us').score).toBe(0.5);
  });

  it.each([
    ['phishing', 'Send your card number and CVV to keep your account'],
    ['scam', 'Hi mum, this is my new number, text me on WhatsApp'],
    ['adult_gambling', 'Casino night: 50 free spins for you'],
    ['spam', 'Lose 10kg in a week with our miracle tea'],
    ['phishing', 'Votre compte est bloqué, confirmez votre code secret sur https://bit.ly/x'],
    ['scam', 'Prêt de 5 millions sans garantie, réponse immédiate'],
  ])('call %s by its name: %s', (label, text) => {
    expect(judge(text)).toMatchObject({ label, flagged: true });
  });

  it.each([
    'Never share your PIN, OTP or password with anyone. We will never ask for it.',
    'Ne communiquez jamais votre code secret, même à un agent.',
    'Your card has been blocked as you requested. Call 0700 000 0000.',
    '482913 is your verification code. It expires in 10 minutes.',
    'Hi Mum, landed safely, home by 8 x',
    '',
  ])('leave alone: %s', (text) => {
    expect(judge(text)).toMatchObject({ label: 'clean', flagged: false });
  });

  it('see through disguises', () => {
    const reasons = (text: string) => judge(text).reasons;
    expect(reasons('Get a l0an today')).toContain('disguised_words');
    expect(reasons('Your paypаl account')).toContain('mixed_scripts');
    expect(reasons('Your acc\u200bount')).toContain('hidden_characters');
    expect(reasons('THIS IS A GREAT OFFER FOR YOU')).toContain('capitals');
    expect(judge('Votre mot de passe a été modifié.').reasons).toEqual([]);
  });

  it('have names that are each their own', () => {
    const names = SIGNALS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('take bounded time for the worst texts', () => {
    const words = ['a', 'a.', '1', ' ', 'send ', 'send money ', 'account ', 'invest 1 ', 'mum '];
    const links = ['http://a-b.gtbank.c ', 'а', '-', '://', '@', 'http://'];
    for (const word of [...words, ...links]) {
      const text = word.repeat(100_000 / word.length);
      const startedAt = process.cpuUsage();
      judge(text);
      const { user } = process.cpuUsage(startedAt);
      expect([word, user < 50_000]).toEqual([word, true]);
    }
  });
});
