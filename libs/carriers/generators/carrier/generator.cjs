/**
 * `npx nx g carrier <name>`: a folder in libs/carriers/src that passes the contract kits, and its
 * line in the registry. What is written is a working JSON dialect; replace it by the carrier's own.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const prettier = require('prettier');

const templates = join(__dirname, 'files');
const registry = 'libs/carriers/src/registry.ts';

module.exports = async function generateCarrier(tree, { name, title }) {
  const names = namesOf(name, title);
  const folder = `libs/carriers/src/${name}`;
  if (tree.exists(folder)) throw new Error(`${folder} exists already`);
  for (const file of readdirSync(templates)) {
    const text = readFileSync(join(templates, file), 'utf8');
    const target = file.replace('__name__', name).replace(/\.template$/, '');
    tree.write(`${folder}/${target}`, await formatted(fill(text, names), target));
  }
  tree.write(registry, registered(tree.read(registry, 'utf8'), names));
  return () => {
    say(`Next: the dialect in ${folder}, the same in apps/carrier-sim/src/dialects without`);
    say('looking at the adapter, its row in tests/providers/carriers.kit.ts, npm run docs.');
  };
};

/** The length of a name decides where lines break. */
async function formatted(text, file) {
  const options = await prettier.resolveConfig(join(__dirname, file));
  return prettier.format(text, { ...options, filepath: file });
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function namesOf(name, title) {
  const words = name.split('-');
  const pascal = words.map((word) => word[0].toUpperCase() + word.slice(1));
  return {
    name,
    token: words.join('_'),
    variable: words.join('_').toUpperCase(),
    Class: pascal.join(''),
    camel: words[0] + pascal.slice(1).join(''),
    title: (title ?? pascal.join(' ')).replaceAll("'", '’'),
  };
}

function fill(text, names) {
  return text.replaceAll(/<%= (\w+) %>/g, (_match, key) => names[key]);
}

function registered(text, { name, camel }) {
  const line = `import { ${camel} } from './${name}/${name}.carrier.js';\n`;
  const list = text.indexOf('  simulator,\n]');
  if (list < 0) throw new Error(`${registry} has no list of carriers that ends with simulator`);
  const after = `${text.slice(0, list)}  ${camel},\n${text.slice(list)}`;
  const imports = after.indexOf('import type { Provider }');
  return after.slice(0, imports) + line + after.slice(imports);
}
