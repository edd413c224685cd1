import { afterEach, describe, expect, it } from '@jest/globals';
import {
  isTracing,
  recordTraces,
  spanIdOf,
  traceIdOf,
  traceparentOf,
  type TraceStep,
  traceStep,
} from './tracing.js';

const messageId = '0199c2a4-6f00-7a11-8b22-1c2d3e4f5a60';
const step: TraceStep = {
  messageId,
  step: 'submit/1',
  under: 'command',
  name: 'submit twilio',
  kind: 'client',
  startedAt: 1,
  endedAt: 2,
};

afterEach(() => recordTraces(undefined));

describe('steps', () => {
  it('are not made while nothing records them', () => {
    expect(isTracing()).toBe(false);
    traceStep(() => {
      throw new Error('made');
    });
  });

  it('reach the recorder', () => {
    const recorded: TraceStep[] = [];
    recordTraces((one) => recorded.push(one));
    expect(isTracing()).toBe(true);
    traceStep(() => step);
    expect(recorded).toEqual([step]);
  });
});

describe('ids', () => {
  it('follow from the message and the step, in every process alike', () => {
    expect(traceIdOf(messageId)).toBe('0199c2a46f007a118b221c2d3e4f5a60');
    expect(spanIdOf(messageId, 'submit/1')).toBe(spanIdOf(messageId.toUpperCase(), 'submit/1'));
    expect(spanIdOf(messageId, 'submit/1')).not.toBe(spanIdOf(messageId, 'submit/2'));
    expect(traceparentOf(messageId, 'command')).toMatch(
      /^00-0199c2a46f007a118b221c2d3e4f5a60-[0-9a-f]{16}-01$/,
    );
  });
});
