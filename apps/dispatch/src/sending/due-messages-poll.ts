import { Injectable } from '@nestjs/common';
import { NextPoll } from '@watchword/platform';

/** Milliseconds between polls when nothing announces a due message. */
const POLL_EVERY_MS = 60_000;

/** When the job of due messages polls next. What writes a scheduled message notes its time. */
@Injectable()
export class DueMessagesPoll extends NextPoll {
  constructor() {
    super(POLL_EVERY_MS);
  }
}
