import { useTexts } from '../texts';

const WORDS = {
  off: ['Allow', 'Autoriser'],
  log: ['Allow and log', 'Autoriser et noter'],
  enforce: ['Refuse', 'Refuser'],
  refuse: ['Refuse', 'Refuser'],
  delay: ['Delay', 'Différer'],
  unchecked: ['Off', 'Désactivé'],
  tag: ['Mark', 'Marquer'],
  block: ['Block', 'Bloquer'],
  live: ['Live', 'Réel'],
  test: ['Test', 'Test'],
} as const;

type Choice = Exclude<keyof typeof WORDS, 'unchecked'>;

/** Returns the values of a setting, with what each does in the reader's language. */
export function useChoices(): (...values: Choice[]) => { value: string; label: string }[] {
  const words = useTexts(WORDS);
  return (...values) => {
    // Where nothing is refused, `off` does not allow what is otherwise refused.
    const isFilter = values.includes('tag');
    return values.map((value) => ({
      value,
      label: words[isFilter && value === 'off' ? 'unchecked' : value],
    }));
  };
}
