import { expect, it } from '@jest/globals';
import { ROUTES } from '@watchword/contracts';
import { CompiledRoute } from '../server/compiled-route.js';

/** Names no person: a prefix has six digits. */
const SHOWN = ['id', 'country', 'prefix'];
const audited = ROUTES.filter((route) => new CompiledRoute(route).isAudited);

it.each(audited.map(({ method, path }) => [`${method} ${path}`, path]))(
  'the audit of %s has a path without personal data',
  (_, path) => {
    const names = [...path.replace(/\/:address$/, '').matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(SHOWN).toEqual(expect.arrayContaining(names));
  },
);
