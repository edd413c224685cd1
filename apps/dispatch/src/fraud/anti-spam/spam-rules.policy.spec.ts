import { expect, it } from '@jest/globals';
import { judge } from './spam-rules.policy.js';
import { SIGNALS } from './spam-signals.policy.js';

const BAD = {
  phishing: [
    'Send your card number and CVV to keep your account',
    'Votre compte est bloqué, confirmez votre code secret sur https://bit.ly/x',
    'Polaris Bank: Kindly upgrade to Tier 3 or your account will be placed on PND. Fill the form: polaris-tier3.vercel.app',
    'FedEx: delivery attempt failed, signature needed. Reschedule with a small fee: https://fedx-resched.icu',
    'This is EFCC. A case was opened on your BVN. Call Inspector Dan on 08020000015 with your account details to clear your name.',
    'TymeBank: we are moving to a new system. Your funds may be lost unless you log in at http://tyme.newsystem.rest',
    'KCB alert: unknown device added to your profile. Remove it here rb.gy/kcb-sec',
    'NHS: you are eligible for a digital Covid pass. Apply here and pay postage: https://nhs-pass-apply.net',
    'Your Fidelity Bank online profile has expired. Kindly reactivate: fidelity-ibank.com.ng-auth.site within 6 hours.',
    'Amazon: your account was charged $899 for an iPhone. If you did not place this order call 555-0199 immediately and have your card ready.',
    'Lloyds: for your security we have suspended your online access. Restore it now via lloyds-onlinе.com',
    'Bank of America: Zelle payment of $1,250.00 pending. Reply YES or NO. If NO our agent will call you for your passcode.',
    'Bonjour, je suis du service client Orange. Envoyez-moi le code reçu par SMS afin de débloquer votre compte.',
    "J'ai fait un dépôt par erreur sur votre numéro. Merci de me donner le code que vous venez de recevoir pour annuler.",
    "Votre mot de passe expire aujourd'hui. Renouvelez-le sur http://196.12.44.8/login sous peine de perdre l'accès à votre compte.",
  ],
  scam: [
    'Hi mum, this is my new number, text me on WhatsApp',
    'Prêt de 5 millions sans garantie, réponse immédiate',
    'CONGRATULATIONS! Your number has won N2,500,000 in the MTN Yello promo. To claim call Mr Johnson 08160000055 with your winning code 4471.',
    'Federal Government grant of N150,000 for all youths is ongoing. Apply before it closes: https://fg-grant.site/apply',
    "Hi, I'm Amy, HR manager. We noticed your resume. $200-$500 a day, 1 hour of work, flexible. Interested? Text me on Telegram @amyhr22",
    'Blacklisted? Need cash? Loans up to R250,000 approved same day, no credit checks. Call now 011 000 0000.',
    'Dangote Foundation is giving out N100,000 to 500 people. Text your name and account number to 08120000019 to benefit.',
    'Good day, I am a US Army officer in Syria. I have a box of gold and cash and need a trusted partner to receive it. Reply to my email.',
    'Hello Dad my phone is smashed this is my friends phone can you text me on 07700 900812 asap',
    'Import cars from Tema port at half price, customs auction. Pay 20% deposit to agent Kwame 0240000017 before Friday.',
    "Gagnez jusqu'à 15 % par semaine avec notre plateforme de trading. Dépôt minimum 20 000 F. Groupe Telegram ouvert.",
    "Salut maman, j'ai cassé mon téléphone, voici mon nouveau numéro. Peux-tu m'envoyer 50 000 F par Wave, c'est urgent.",
    "Marabout sérieux : retour d'affection, richesse, multiplication d'argent en 3 jours. Résultat garanti. WhatsApp 0197000077.",
    'Travail à domicile : gagnez 25 000 FCFA par jour avec votre téléphone. Inscription sur t.me/job_abidjan',
    'Earn money at home, $9 per day. Call 0803 123 4567',
  ],
  adult_gambling: [
    'Casino night: 50 free spins for you',
    'Single and bored? Naughty local ladies are waiting for your text. Reply HOT to 69911, £1.50 per msg. 18+',
    "Jouez à Aviator, gagnez jusqu'à 1 million par jour. Bonus de bienvenue 100 % : https://jeu-aviator.top",
  ],
  spam: [
    'Lose 10kg in a week with our miracle tea',
    'Work from h0me!! Make $$$ fast, limited sp0ts. FR33 sign up >> https://is.gd/ezcash1',
    'Aphrodisiac herbs for strong men, last longer, 100% natural. Delivery nationwide. Call 08090000013 to order!!!',
    'Lower your debt by 60% now!! Congress just passed a relief program. Tap http://debt-help.work to see if you qualify!!',
    'Achetez des abonnés TikTok pas cher, 5 000 abonnés à 2 000 F. Cliquez https://bit.ly/abo-ci ou WhatsApp.',
  ],
};

/** Honest texts with words that bad ones have, too. */
const CLEAN = [
  'Never share your PIN, OTP or password with anyone. We will never ask for it.',
  'Ne communiquez jamais votre code secret, même à un agent.',
  'Your card has been blocked as you requested. Call 0700 000 0000.',
  '482913 is your verification code. It expires in 10 minutes.',
  'Hi Mum, landed safely, home by 8 x',
  '',
  'Reminder from Lincoln HS: FAFSA grant workshop tonight at 6. Apply with help from our counselors in room 12.',
  'Council tax: your payment of £142.00 is now 7 days overdue. Please pay at https://www.southwark.gov.uk/pay or call 020 7946 0100.',
  'Your DSTV Compact subscription is due on 30 Nov. Renew before midnight to avoid disconnection. Pay on the MyDStv app or at any bank.',
  'Verify your email to finish opening your Cowrywise account: https://cowrywise.com/verify/ab12cd',
  "Congratulations Sarah, you've passed your theory test! Book your practical test at https://www.gov.uk/book-driving-test",
  "Your password was changed on Nov 14 at 3:02 PM PT. Wasn't you? Go to https://account.microsoft.com/security",
  'Your lab results are in. Sign in to MyChart to view them: https://mychart.example.org',
  'Reset your Flutterwave password here: https://app.flutterwave.com/reset/9f3ac1. The link expires in 30 minutes. Ignore this if it was not you.',
  'Weekend sale at Slot! 15% off all Samsung phones until Sunday. Visit any of our stores or slot.ng. To opt out text STOP to 20099.',
  'URGENT: blood donor O negative needed at LUTH today. Please come to the blood bank on the ground floor or call the ward.',
  'Co-op Bank: card ending 8812 was locked after 3 wrong PIN tries. Visit any branch with your ID to unlock it.',
  'Your Vodafone SIM swap is complete. If you did not ask for this, call us on 191 straight away.',
  'Hello Abena, your Hubtel order HB-22981 has been picked up and will be delivered by 3:30pm. Delivery fee GHS 15 paid.',
  'Dear customer, never disclose your PIN, password, BVN or OTP to anyone. Our bank will never call to ask for them. If in doubt, call 0700 000 0000.',
  'Your debit card ending 4417 has been blocked as you requested. A replacement will be ready for pick-up at Allen Avenue branch in 5 working days.',
  'Le Dr Hounsou a dû annuler votre consultation de demain. Appelez le secrétariat au 01 97 00 00 00 pour reprendre rendez-vous.',
  "Maman, je rentre tard ce soir, ne m'attendez pas pour manger. Bisous.",
  'Votre code de vérification Wave est 5521. Ne le partagez avec personne.',
  'Votre prêt de 100 000 FCFA a été décaissé sur votre compte. Première échéance : 15/12/2026, 18 500 FCFA. PADME',
  'Votre carte bancaire expire le 30/11. La nouvelle est disponible dans votre agence BICICI de Treichville.',
  'Moov Africa : bonus de 100 % sur toute recharge de 1 000 F ce jeudi. Valable 48h.',
  'La banque ne vous demandera jamais votre mot de passe ni votre code secret par SMS ou par téléphone. Restez vigilants. Ecobank Bénin',
  'Impôts : la date limite de déclaration est fixée au 30 novembre. Déclarez sur https://eservices.impots.bj ou au centre le plus proche.',
  "Votre mot de passe a été modifié le 14/11 à 10h12. Si vous n'êtes pas à l'origine de cette action, contactez le 1313.",
  'Paystack: payout of NGN 1,204,300.00 has been sent to your Zenith account ending 0091. It should arrive within 24 hours.',
  'Your MTN MoMo PIN was changed successfully. If you did not do this, call 100 immediately.',
  'Acct: ***4521 Debit: NGN12,500.00 Desc: POS purchase SHOPRITE IKEJA 14-Nov-2026 17:42 Bal: NGN84,310.22',
];

it('spam rules give the label of the greatest weight, and four points make an even score', () => {
  const verdict = judge('Your account is suspended. Verify it within 24hrs: https://bit.ly/3xY');
  expect(verdict).toMatchObject({ label: 'phishing', flagged: true });
  expect(verdict.score).toBeGreaterThan(0.9);
  expect(verdict.reasons.slice(0, 2)).toEqual(['url_shortener', 'account_threat']);
  expect(verdict.reasons).toContain('urgency');
  expect(judge('Play slots with us').score).toBe(0.5);
});

it.each(Object.entries(BAD).flatMap(([label, texts]) => texts.map((text) => [label, text])))(
  'spam rules give the label %s to: %s',
  (label, text) => {
    expect(judge(text)).toMatchObject({ label, flagged: true });
  },
);

it.each(CLEAN)('spam rules do not flag: %s', (text) => {
  expect(judge(text)).toMatchObject({ label: 'clean', flagged: false });
});

it('spam rules see through disguised letters', () => {
  const reasons = (text: string) => judge(text).reasons;
  expect(reasons('Get a l0an today')).toContain('disguised_words');
  expect(reasons('Your paypаl account')).toContain('mixed_scripts');
  expect(reasons('Your acc\u200bount')).toContain('hidden_characters');
  expect(reasons('THIS IS A GREAT OFFER FOR YOU')).toContain('capitals');
  expect(judge('Votre mot de passe a été modifié.').reasons).toEqual([]);
});

it('each spam rule matches at least one of these texts', () => {
  const texts = [...Object.values(BAD).flat(), ...CLEAN];
  const met = new Set(texts.flatMap((text) => judge(text).reasons));
  const counted = SIGNALS.filter(({ weight }) => weight > 0);
  expect(counted.filter(({ name }) => !met.has(name)).map(({ name }) => name)).toEqual([]);
});

it('spam rules take bounded time for the worst texts', () => {
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
