import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';

const WINDOW_MS = 250;

/** How busy the event loop of this process is. It is measured between calls, without a timer. */
@Injectable()
export class LoopUse {
  private from = performance.eventLoopUtilization();
  private atMs = performance.now();
  private share = 0;

  /** Share of the time (0 to 1) in which the loop worked: of the last 250 ms, or since the call before them. */
  get now(): number {
    const nowMs = performance.now();
    if (nowMs - this.atMs >= WINDOW_MS) {
      const to = performance.eventLoopUtilization();
      this.share = performance.eventLoopUtilization(to, this.from).utilization;
      this.from = to;
      this.atMs = nowMs;
    }
    return this.share;
  }
}
