import { expect, it } from '@jest/globals';
import { readLabelledTexts } from './labelled-texts.policy.js';

const labels = (file: string) =>
  readLabelledTexts(file).texts.map(({ line, isSpam }) => [line, isSpam]);
const problems = (file: string) => readLabelledTexts(file).problems;

it('reads a label and a text of each line, after an optional header', () => {
  const file = '\ufeffLabel\tText\r\nham\thello\r\n\r\nPhishing\tgive me your code\r\n';
  expect(labels(file)).toEqual([
    [2, false],
    [4, true],
  ]);
  expect(labels('clean\ta\nscam\tb\nadult_gambling\tc\nspam\td')).toEqual([
    [1, false],
    [2, true],
    [3, true],
    [4, true],
  ]);
});

it('takes texts that differ in digits only for one', () => {
  const { texts, repeated } = readLabelledTexts('ham\tcode 123\nham\tcode 456\nham\tother\n');
  expect([texts.length, repeated]).toEqual([2, 1]);
});

it('names every bad line by its number', () => {
  expect(
    problems(
      [
        'ham\tfine',
        'hello',
        'bad\thello',
        'ham\ta\tb',
        'spam\t...',
        `ham\t${'x'.repeat(10_001)}`,
        'spam\tFINE!',
        'spam\tfine',
        'label\ttext',
      ].join('\n'),
    ),
  ).toEqual([
    'line 2: no tab between label and text',
    'line 3: the label must be one of ham, clean, phishing, scam, adult_gambling, spam',
    'line 4: more than one tab',
    'line 5: the text has no words',
    'line 6: the text has more than 10000 characters',
    'line 8: the words of line 1, with the other label',
    'line 9: the label must be one of ham, clean, phishing, scam, adult_gambling, spam',
  ]);
});
