import { useNavigate } from '@tanstack/react-router';
import { answerOf, type Dashboard, inModeOf, newKey, v1 } from '../api/client';
import { useTexts } from '../texts';
import { Ask } from './act';

export type OwnMessage = Dashboard['MessagePage']['message'];

const TEXTS = {
  resend: ['Resend', 'Renvoyer'],
  resendAsk: [
    'Send a new text with the same code? A resend is charged as the first send.',
    'Renvoyer le même code ? Un renvoi est facturé comme le premier envoi.',
  ],
  cancel: ['Cancel', 'Annuler'],
  cancelAsk: ['Cancel this message?', 'Annuler ce message ?'],
  again: ['Send again as new', 'Envoyer à nouveau'],
  againAsk: [
    'Send the same to the same recipient as a new message? It is charged.',
    'Envoyer la même chose au même destinataire, comme nouveau message ? Il est facturé.',
  ],
  withoutFiles: ['Its attachments are left out.', 'Ses pièces jointes ne sont pas reprises.'],
} as const;

const OPEN = new Set(['pending', 'queued', 'scheduled', 'sent']);

export function MessageActions({ message }: { message: OwnMessage }) {
  const texts = useTexts(TEXTS);
  const navigate = useNavigate();
  const { kind, id, status } = message;
  const isOpen = OPEN.has(status);
  const canCancel = kind === 'otp' ? isOpen || status === 'delivered' : status === 'scheduled';
  const hasFiles = kind === 'email' && message.attachments.length > 0;
  return (
    <>
      {kind === 'otp' && (isOpen || status === 'delivered') && (
        <Ask
          label={texts.resend}
          question={texts.resendAsk}
          onConfirm={() => answerOf(v1.POST('/v1/otp/{id}/resend', callOf(message)))}
        />
      )}
      {canCancel && (
        <Ask
          label={texts.cancel}
          question={texts.cancelAsk}
          color="red"
          onConfirm={() => cancel(message)}
        />
      )}
      {hasContent(message) && (
        <Ask
          label={texts.again}
          question={hasFiles ? `${texts.againAsk} ${texts.withoutFiles}` : texts.againAsk}
          onConfirm={async () => {
            const sent = await sendAgain(message);
            await navigate({ to: `/messages/${sent ?? id}` });
          }}
        />
      )}
    </>
  );
}

function callOf(message: OwnMessage) {
  const { id } = message;
  return {
    params: { path: { id }, header: newKey() },
    headers: inModeOf(message),
    body: {},
  };
}

async function cancel(message: OwnMessage): Promise<void> {
  const call = callOf(message);
  if (message.kind === 'otp') await answerOf(v1.POST('/v1/otp/{id}/cancel', call));
  else if (message.kind === 'sms') await answerOf(v1.POST('/v1/sms/{id}/cancel', call));
  else await answerOf(v1.POST('/v1/emails/{id}/cancel', call));
}

/** A code is made anew; of a text or an email the content must still be there. */
function hasContent(message: OwnMessage): boolean {
  if (message.kind === 'otp') return true;
  if (message.content_expired) return false;
  return message.kind === 'sms' ? message.message !== null : true;
}

async function sendAgain(message: OwnMessage): Promise<string | undefined> {
  const call = { params: { header: newKey() }, headers: inModeOf(message) };
  const { metadata } = message;
  if (message.kind === 'otp') {
    const { phone_number, language, code_length, ttl_seconds } = message;
    const body = { phone_number, language, code_length, ttl_seconds, metadata };
    return (await answerOf(v1.POST('/v1/otp/send', { ...call, body }))).id;
  }
  if (message.kind === 'sms') {
    const { phone_number, sender_id, category = 'transactional' as const } = message;
    const text = message.original_message ?? message.message ?? '';
    const from = sender_id === null ? {} : { sender_id };
    const body = { phone_number, message: text, category, metadata, ...from };
    return (await answerOf(v1.POST('/v1/sms/send', { ...call, body }))).id;
  }
  const { from, to, cc, bcc, reply_to, subject, html, text, tags, category } = message;
  const { headers, track_clicks, track_opens } = message;
  const parts = { ...(html !== null && { html }), ...(text !== null && { text }) };
  const receivers = { from, to, cc, bcc, reply_to };
  const options = { headers, tags, category, track_clicks, track_opens, metadata };
  const body = { ...receivers, subject, ...parts, ...options };
  return (await answerOf(v1.POST('/v1/emails', { ...call, body }))).id;
}
