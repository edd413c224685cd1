import { seededRandom } from '@watchword/platform';

/**
 * Texts drawn from sentences of our own, the same for the same seed. No two have equal words.
 * The rules have nothing against the spam.
 */
const CLEAN = [
  'Hello {name}, your {thing} from {shop} is ready. Collect it before {day}.',
  '{shop}: {thing} {number} was sent on {day}. Thank you, {name}.',
  '{name}, your appointment is on {day} at {number}. Reply C to cancel.',
  'Reminder from {shop}: the rent for your {thing} is due on {day}.',
];
const SPAM = [
  'Lucky {name}! Our {shop} circle chose you for {number} moon beads until {day}!',
  'Dear chosen {name}, the {shop} circle keeps a golden {thing}. It leaves on {day}!',
  'Moon beads, {name}: trade your {thing} in the {shop} circle, {day} only!',
];
const WORDS: Readonly<Record<string, string>> = {
  name: 'Ada Bola Chidi Dayo Efe Femi Gozi Hauwa Ike Jumoke Kemi Lami Musa Ngozi Obi',
  thing: 'parcel blender ticket jacket laptop mirror carpet guitar saddle kettle',
  shop: 'Acme Borealis Corona Delta Everest Fjord Granite Harbour Indigo Juniper',
  day: 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday tomorrow',
};

export function corpus(each: number, seed = 1): { clean: string[]; spam: string[] } {
  const draw = seededRandom(seed);
  const pick = (from: readonly string[]) => from[Math.floor(draw() * from.length)]!;
  const textOf = (sentences: readonly string[]) =>
    pick(sentences).replace(/\{(\w+)\}/g, (_, kind: string) =>
      kind === 'number' ? String(Math.floor(draw() * 1_000)) : pick(WORDS[kind]!.split(' ')),
    );
  const texts = (sentences: readonly string[]) => {
    const found = new Map<string, string>();
    while (found.size < each) {
      const text = textOf(sentences);
      found.set(text.replace(/\d/g, '0'), text);
    }
    return [...found.values()];
  };
  return { clean: texts(CLEAN), spam: texts(SPAM) };
}

export function tsvOf({ clean, spam }: ReturnType<typeof corpus>): string {
  return [...clean.map((text) => `ham\t${text}\n`), ...spam.map((text) => `spam\t${text}\n`)].join(
    '',
  );
}
