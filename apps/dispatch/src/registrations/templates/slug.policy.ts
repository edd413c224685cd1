const SLUG_LENGTH_MAX = 64;
/** Slug of a name without an ASCII letter or digit. */
const FALLBACK = 'template';
const MARKS = /\p{M}/gu;

/** Returns `order-shipped` for `Order shipped!`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(MARKS, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const slug = words.join('-').slice(0, SLUG_LENGTH_MAX).replace(/-+$/, '');
  return /[a-z]/.test(slug) && !isUuidLike(slug) ? slug : FALLBACK;
}

/** Returns the first free one of `slug`, `slug-2`, `slug-3`, ... */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const candidate = slug.slice(0, SLUG_LENGTH_MAX - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

/** A reference in this form is an id, so no slug may have it. */
function isUuidLike(slug: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(slug);
}
