import { readFileSync } from 'node:fs';

/**
 * Returns a Dockerfile's instructions in order, with lines joined and build arguments filled in.
 */
export function readDockerfile(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const given = new Map();
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    const text =
      name === 'RUN'
        ? rest
        : rest.replaceAll(/\$\{(\w+)\}/g, (found, key) => given.get(key) ?? found);
    const [, key, value] = (name === 'ARG' && /^(\w+)=(.*)$/.exec(text)) || [];
    if (key !== undefined) given.set(key, value);
    return { name, text };
  });
}

const LABELS = ['title', 'description', 'licenses', 'version', 'revision'];

/** Returns violations of our rules, beyond a linter's. */
export function complaintsAbout(instructions) {
  const of = (wanted) => instructions.filter(({ name }) => name === wanted);
  const last = instructions.findLastIndex(({ name }) => name === 'FROM');
  const result = instructions.slice(last);
  const complaints = [];
  const want = (holds, sentence) => holds || complaints.push(sentence);
  want(of('FROM').length > 1, 'one stage: what builds would be part of the image');
  for (const { text } of of('FROM')) {
    want(/:\d+\.\d+\.\d+-[\w-]+/.test(text), `FROM ${text}: no exact version`);
  }
  const user = result.findLast(({ name }) => name === 'USER')?.text ?? 'root';
  want(/^[1-9]\d*:[1-9]\d*$/.test(user), `USER ${user}: not an unprivileged user by number`);
  want(of('ADD').length === 0, 'ADD: COPY tells where a file comes from');
  want(!result.some(({ name }) => name === 'RUN'), 'the last stage runs something');
  const labels = result
    .filter(({ name }) => name === 'LABEL')
    .map(({ text }) => text)
    .join(' ');
  for (const label of LABELS) {
    want(labels.includes(`org.opencontainers.image.${label}=`), `no label ${label}`);
  }
  for (const { name, text } of instructions) {
    const secret = /^(?:ENV|ARG)$/.test(name) && /(SECRET|PASSWORD|TOKEN|KEY)\w*=/i.exec(text);
    want(!secret, `${name} ${secret?.[0]}: a secret in the image`);
  }
  want(
    result.some(({ name, text }) => name === 'CMD' && text.startsWith('["node", ')),
    'CMD: a shell between',
  );
  return complaints;
}
