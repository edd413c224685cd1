import { WatchwordError } from './errors.js';
import type { Call, RequestOptions, Transport } from './transport.js';

const SAME_PAGE = 'The page names itself as the next one.';

export interface Page<Item> {
  data: Item[];
  /** Undefined on the last page. */
  next: string | undefined;
}

/** A list. `for await` reads all of it, one page at a time; `page()` reads one page. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #transport: Transport;
  readonly #call: Call;
  readonly #parameter: string;
  readonly #options: RequestOptions;

  constructor(transport: Transport, call: Call, parameter: string, options: RequestOptions) {
    this.#transport = transport;
    this.#call = call;
    this.#parameter = parameter;
    this.#options = options;
  }

  /** Returns the first page, or the one that `next` of the page before names. */
  async page(next?: string): Promise<Page<Item>> {
    const query = {
      ...this.#call.query,
      ...(next === undefined ? {} : { [this.#parameter]: next }),
    };
    const answer = await this.#transport.send<Record<string, unknown>>(
      { ...this.#call, query },
      this.#options,
    );
    const following = answer[`next_${this.#parameter}`];
    return {
      data: (answer['data'] ?? []) as Item[],
      next:
        following === undefined || following === null ? undefined : String(following) || undefined,
    };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let next: string | undefined;
    do {
      const page: Page<Item> = await this.page(next);
      yield* page.data;
      if (page.next !== undefined && page.next === next) throw new WatchwordError(SAME_PAGE);
      next = page.next;
    } while (next !== undefined);
  }
}
