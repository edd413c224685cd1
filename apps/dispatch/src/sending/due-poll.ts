import { Injectable } from '@nestjs/common';
import { NextPoll } from '@watchword/platform';

/** Milliseconds between looks when nothing announces a due message. */
const LOOK_EVERY_MS = 60_000;

/** When the job of due messages looks next. What writes a scheduled message notes its time. */
@Injectable()
export class DuePoll extends NextPoll {
  constructor() {
    super(LOOK_EVERY_MS);
  }
}
