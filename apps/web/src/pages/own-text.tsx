import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { otpLastLineOf } from '../../../../libs/telephony/src/otp-measure';
import { brandOf, renderOtpText } from '../../../../libs/telephony/src/otp-text';
import { SmsPreview } from '../parts/sms-preview';
import { useMember } from '../session';
import { fill, useTexts } from '../texts';

const TEXTS = {
  help: [
    'With {code}, and if you like {brand} and {minutes}. Empty: the usual text.',
    'Avec {code} et, si vous voulez, {brand} et {minutes}. Vide : le texte habituel.',
  ],
} as const;

const PLACEHOLDERS = { code: '{code}', brand: '{brand}', minutes: '{minutes}' };
const TTL_SECONDS = 600;

/** The workspace's own text of codes, shown as a phone gets it. */
export function OwnText({ language, label }: { language: 'en' | 'fr'; label: string }) {
  const texts = useTexts(TEXTS);
  const { name, settings } = useMember().workspace;
  const [template, setTemplate] = useState(settings.otp_text[language] ?? '');
  const lastLine = otpLastLineOf(settings) ?? undefined;
  const text = renderOtpText({
    language,
    brand: brandOf(name),
    code: '482915',
    ttlSeconds: TTL_SECONDS,
    template: template === '' ? undefined : template,
    lastLine,
  });
  return (
    <div>
      <Textarea
        name={language}
        label={label}
        description={fill(texts.help, PLACEHOLDERS)}
        autosize
        maxLength={480}
        value={template}
        onChange={(event) => setTemplate(event.currentTarget.value)}
        mb="xs"
      />
      <SmsPreview text={text} />
    </div>
  );
}
