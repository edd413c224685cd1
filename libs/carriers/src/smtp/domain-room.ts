interface Waiting {
  readonly domain: string;
  readonly enter: () => void;
}

/**
 * Places for emails in progress, bounded in total and per recipient domain, so that a slow receiver
 * does not fill the account. First come, first served among emails to domains with room.
 */
export class DomainRoom {
  private taken = 0;
  private readonly byDomain = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();

  constructor(
    private readonly placesMax: number,
    private readonly domainPlacesMax: number,
  ) {}

  /**
   * Resolves with a function that returns the place, or null when the domain alone has had none for
   * that time. While the whole account is full, the wait goes on.
   */
  enter(domain: string, patienceMs: number): Promise<(() => void) | null> {
    if (this.hasRoom(domain)) return Promise.resolve(this.occupy(domain));
    return new Promise((resolve) => {
      const lookAgain = () => {
        if (this.taken >= this.placesMax) {
          timer = setTimeout(lookAgain, patienceMs);
          return;
        }
        this.waiting.delete(one);
        resolve(null);
      };
      let timer = setTimeout(lookAgain, patienceMs);
      const one: Waiting = {
        domain,
        enter: () => {
          clearTimeout(timer);
          this.waiting.delete(one);
          resolve(this.occupy(domain));
        },
      };
      this.waiting.add(one);
    });
  }

  private hasRoom(domain: string): boolean {
    const ofDomain = this.byDomain.get(domain) ?? 0;
    return this.taken < this.placesMax && ofDomain < this.domainPlacesMax;
  }

  private occupy(domain: string): () => void {
    this.taken += 1;
    this.byDomain.set(domain, (this.byDomain.get(domain) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.taken -= 1;
      const ofDomain = this.byDomain.get(domain)! - 1;
      if (ofDomain === 0) this.byDomain.delete(domain);
      else this.byDomain.set(domain, ofDomain);
      for (const one of this.waiting) {
        if (this.taken >= this.placesMax) break;
        if (this.hasRoom(one.domain)) one.enter();
      }
    };
  }
}
