import { Box, Text } from '@mantine/core';
import { measureSegments } from '../../../../libs/telephony/src/segments';
import { fill, useFormats, useTexts } from '../texts';

const TEXTS = {
  preview: ['On the phone', 'Sur le téléphone'],
  count: [
    '{n} segments, {encoding}, {left} characters left',
    '{n} segments, {encoding}, reste {left} caractères',
  ],
  one: [
    '1 segment, {encoding}, {left} characters left',
    '1 segment, {encoding}, reste {left} caractères',
  ],
  unicode: [
    'A character outside of GSM-7 makes every segment shorter: {characters}',
    'Un caractère hors GSM-7 raccourcit chaque segment : {characters}',
  ],
} as const;

/** Units of a message in one segment, and of a part of a longer one. */
const ROOM = { 'GSM-7': [160, 153], 'UCS-2': [70, 67] } as const;

/** A text as the phone shows it, with its segments, as it is written. */
export function SmsPreview({ text }: { text: string }) {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const written = text.normalize('NFC');
  const { encoding, segments, parts } = measureSegments(written);
  if (segments === 0) return null;
  const room = ROOM[encoding][segments === 1 ? 0 : 1];
  const left = number(room - (parts.at(-1) ?? 0));
  return (
    <Box className="phone" role="group" aria-label={texts.preview}>
      <Text size="sm" className="bubble">
        {written}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {fill(segments === 1 ? texts.one : texts.count, { n: number(segments), encoding, left })}
      </Text>
      {encoding === 'UCS-2' && (
        <Text size="xs" c="dimmed">
          {fill(texts.unicode, { characters: foreignTo(written) })}
        </Text>
      )}
    </Box>
  );
}

/** The characters that GSM-7 lacks. */
function foreignTo(text: string): string {
  const found = [...new Set(text)].filter((one) => measureSegments(one).encoding === 'UCS-2');
  return found.slice(0, 10).join(' ');
}
