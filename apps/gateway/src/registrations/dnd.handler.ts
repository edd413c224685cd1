import { Inject, Injectable } from '@nestjs/common';
import {
  type DispatchCalls,
  DND_NUMBERS_PER_CALL_MAX,
  type DndUpload,
  newId,
} from '@watchword/contracts';
import { checkCountry } from '@watchword/platform';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { readDndList } from './dnd-list.policy.js';

/** Replaces a country's Do Not Disturb list, in parts that fit a call. */
@Injectable()
export class DndHandler {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'stageDndNumbers' | 'publishDndList'>,
  ) {}

  async replace(countryCode: string, text: string | undefined): Promise<DndUpload> {
    const numbers = readDndList(text, checkCountry(countryCode, 'country'));
    const upload = { upload_id: newId(), country_code: countryCode };
    for (let from = 0; from < numbers.length; from += DND_NUMBERS_PER_CALL_MAX) {
      const part = numbers.slice(from, from + DND_NUMBERS_PER_CALL_MAX);
      await this.dispatch.stageDndNumbers({ ...upload, numbers: part });
    }
    const { numbers: count } = await this.dispatch.publishDndList(upload);
    return { country: countryCode, numbers: count };
  }
}
