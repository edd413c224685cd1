const SLUG_LENGTH_MAX = 64;
/** The slug of a name without a letter or digit of ASCII. */
const FALLBACK = 'template';
const MARKS = /\p{M}/gu;

/** `Order shipped!` becomes `order-shipped`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(MARKS, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const slug = words.join('-').slice(0, SLUG_LENGTH_MAX).replace(/-+$/, '');
  return /[a-z]/.test(slug) && !isUuidLike(slug) ? slug : FALLBACK;
}

/** The first of `slug`, `slug-2`, `slug-3`, ... that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const candidate = slug.slice(0, SLUG_LENGTH_MAX - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

/** A reference of this form is an id, so no slug may have it. */
function isUuidLike(slug: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(slug);
}
