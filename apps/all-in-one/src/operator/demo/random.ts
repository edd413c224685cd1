/** Draws the same numbers for the same seed (mulberry32), so that every demo looks alike. */
export function randomFrom(seed: number) {
  let state = seed;
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(share() * bound);
  return {
    share,
    below,
    digits: (count: number) => Array.from({ length: count }, () => below(16).toString(16)).join(''),
    of: <One>(all: readonly One[]): One => all[below(all.length)] as One,
    weighted<One>(all: readonly One[], weightOf: (one: One) => number): One {
      let rest = share() * all.reduce((sum, one) => sum + weightOf(one), 0);
      for (const one of all) {
        rest -= weightOf(one);
        if (rest < 0) return one;
      }
      return all.at(-1) as One;
    },
  };
}
