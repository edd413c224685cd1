import { Alert, Text, Timeline } from '@mantine/core';
import { useTexts } from '../texts';
import { carrierName } from './carrier-name';
import { Rows } from './list';
import { useReasons } from './reasons';
import { colorOf, Moment, Status, useStatusWord } from './show';
import { Empty } from './states';

const TEXTS = {
  attempts: ['Attempts', 'Tentatives'],
  none: ['No carrier was asked', 'Aucun fournisseur n’a été sollicité'],
  time: ['Time', 'Heure'],
  carrier: ['Carrier', 'Fournisseur'],
  answer: ['Answer', 'Réponse'],
  code: ['Code', 'Code'],
  meaning: ['Meaning', 'Signification'],
  late: ['delivered late', 'remis en retard'],
} as const;

interface Hop {
  status: string;
  timestamp: string;
  provider?: string;
  recipient?: string;
  reason?: string;
}

/** What happened to a message, drawn. */
export function Hops({ timeline }: { timeline: readonly Hop[] }) {
  const word = useStatusWord();
  const reasons = useReasons();
  return (
    <Timeline active={timeline.length - 1} bulletSize={14} lineWidth={2}>
      {timeline.map(({ status, timestamp, provider, recipient, reason }, index) => (
        <Timeline.Item
          key={`${timestamp} ${index}`}
          title={word(status)}
          bullet={<span />}
          color={colorOf(status)}
        >
          <Text size="xs" c="dimmed">
            <Moment at={timestamp} />
          </Text>
          <Text size="sm">
            {[provider && carrierName(provider), recipient].filter(Boolean).join(' · ')}
          </Text>
          {reason && <Text size="sm">{reasons(reason)}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** Why a message failed, in words and as programs get it. */
export function Reason({ of: reason }: { of: string }) {
  const reasons = useReasons();
  return (
    <Alert color="red" variant="outline" title={reasons(reason)}>
      <Text size="sm" className="code">
        {reason}
      </Text>
    </Alert>
  );
}

interface Attempt {
  provider: string;
  attempted_at: string;
  ok: boolean;
  error_code?: string | null;
  error_message?: string | null;
  reason?: string | null;
  meaning?: string | null;
  late_delivery?: boolean;
}

/** Each attempt, with the carrier's code and what it means. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const texts = useTexts(TEXTS);
  const reasons = useReasons();
  const meanings = attempts.map((attempt) => meaningOf(attempt, reasons));
  return (
    <Rows
      isCards
      rows={attempts}
      idOf={(one) => `${one.attempted_at} ${one.provider}`}
      label={texts.attempts}
      empty={<Empty title={texts.none} />}
      columns={[
        { title: texts.time, of: ({ attempted_at: at }) => <Moment at={at} /> },
        { title: texts.carrier, of: ({ provider }) => carrierName(provider) },
        {
          title: texts.answer,
          of: ({ ok, late_delivery: isLate }) => (
            <>
              <Status of={ok ? 'accepted' : 'failed'} />
              {isLate ? ` ${texts.late}` : ''}
            </>
          ),
        },
        {
          title: texts.code,
          of: ({ error_code: code }) => code && <span className="code">{code}</span>,
        },
        ...(meanings.some((meaning) => meaning !== '')
          ? [{ title: texts.meaning, of: (one: Attempt) => meaningOf(one, reasons) }]
          : []),
      ]}
    />
  );
}

/** The sentence of the reason, else what the carrier wrote. */
function meaningOf(
  { ok, reason, meaning, error_code: code, error_message: text }: Attempt,
  reasons: (reason: string) => string,
): string {
  if (ok && !reason) return '';
  const token = reason ?? code ?? '';
  const sentence = reasons(token);
  return sentence === token ? (meaning ?? text ?? '') : sentence;
}
