import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { COMMANDS } from './run.js';
import { type Desk, KEY, openDesk } from './terminal.kit.js';

const id = '01890000-0000-7000-8000-000000000000';
const otp = {
  id,
  phone_number: '+2348030000000',
  status: 'pending',
  credit_cost: 5,
  code_length: 6,
};
const refusal = (status: number, type: string) => ({
  status,
  body: { error: { type, message: 'No.', request_id: 'req-1' } },
});

interface Sent {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

let desk: Desk;
const sent = () => desk.server.requests as Sent[];
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.server.close());
beforeEach(() => {
  desk.files.clear();
  desk.terminal.environment['WATCHWORD_KEY'] = KEY;
  desk.terminal.isInteractive = false;
});

describe('watchword', () => {
  it('lists every command, and what to do first', async () => {
    const { code, output } = await desk.run('');
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(output).toContain(`  ${name}`);
    expect(output).toContain('watchword login --local');
  });

  it.each(COMMANDS.map(({ name }) => [name]))('explains %s with an example', async (name) => {
    const { code, output } = await desk.run(`${name} --help`);
    expect(code).toBe(0);
    expect(output).toMatch(/^\S.*\.\n\nUsage: watchword /);
    expect(output).toContain(`Example: watchword ${name}`);
  });

  it('`help otp send` and `otp send -h` are the help of the command', async () => {
    const { output } = await desk.run('otp send --help');
    expect(await desk.run('help otp send')).toMatchObject({ code: 0, output });
    expect(await desk.run('otp send -h')).toMatchObject({ code: 0, output });
    expect((await desk.run('help')).output).toBe((await desk.run('--help')).output);
  });

  it.each([
    ['otp sned', 'Did you mean "otp send"?'],
    ['nonsense', 'There is no command "nonsense". All commands: watchword --help'],
    ['otp send', 'needs NUMBER. Example: watchword otp send +2348031234567'],
    ['otp send +2348030000000 5', '"5" is one argument too many.'],
    ['otp send +2348030000000 --lenght 4', 'Did you mean --length?'],
    ['status --bogus', 'There is no option --bogus. All options: the same with --help.'],
    ['-v', 'There is no option -v.'],
    ['otp send +2348030000000 --length four', '--length must be a whole number'],
    ['events list --limit 0', '--limit must be a whole number from 1 on'],
    [
      'events list --after -1',
      "To specify an option argument starting with a dash use '--after=-XYZ'",
    ],
    ['listen', 'Give --forward-to.'],
    ['listen --forward-to localhost:80', '--forward-to must be a URL'],
    ['email send --from a@example.com --to b@example.com --subject Hi', 'Give --text, --html'],
    ['messages tail --kind fax', '"fax" is no kind of message.'],
    ['completion tcsh', 'Take bash, zsh or fish.'],
    ['trigger sms.delivred', 'Did you mean sms.delivered?'],
  ])('refuses %s with a way on, and sends nothing', async (line, message) => {
    const { code, notes, output } = await desk.run(line);
    expect([code, output]).toEqual([2, '']);
    expect(notes).toContain(message);
    expect(sent()).toEqual([]);
  });

  it.each([
    [refusal(400, 'validation_error'), 2],
    [refusal(401, 'authentication_error'), 3],
    [refusal(403, 'permission_error'), 3],
    [refusal(404, 'not_found'), 4],
    [refusal(409, 'conflict'), 5],
    [refusal(402, 'insufficient_credits'), 6],
    [{ ...refusal(429, 'rate_limited'), headers: { 'retry-after': '100' } }, 7],
    [{ ...refusal(503, 'internal_error'), headers: { 'retry-after': '100' } }, 8],
  ])('has an exit code for the kind of error: %j is %d', async (answer, expected) => {
    const { code, notes } = await desk.run('otp send +2348030000000', [answer]);
    expect(code).toBe(expected);
    expect(notes).toContain('Error: No.');
    expect(notes).toContain('Request: req-1');
  });

  it('exits with 9 where no answer comes', async () => {
    const cut = { fault: 'cut' };
    expect(await desk.run('status', [cut, cut, cut, cut])).toMatchObject({
      code: 9,
      notes: expect.stringContaining('Next: is the API running, and is its address right?'),
    });
  });

  it('writes errors as JSON where that is wanted', async () => {
    const { notes } = await desk.run('status --json', [refusal(401, 'authentication_error')]);
    const error = { type: 'authentication_error', message: 'No.', request_id: 'req-1' };
    expect(JSON.parse(notes)).toEqual({ error });
  });

  it('writes JSON where words name a group of commands alone', async () => {
    const { code, notes } = await desk.run('otp --json');
    const error = { type: 'UsageError', message: 'Say which: otp send, otp verify.' };
    expect([code, JSON.parse(notes)]).toEqual([2, { error }]);
  });

  it('has colours on a terminal alone', async () => {
    const answers = [{ status: 200, body: { valid: true, status: 'verified' } }];
    const coloured = async (line: string) =>
      (await desk.run(line, answers)).output.includes('\u001b');
    expect(await coloured(`otp verify ${id} 123456`)).toBe(false);
    desk.terminal.isInteractive = true;
    expect(await coloured(`otp verify ${id} 123456`)).toBe(true);
    expect(await coloured(`otp verify ${id} 123456 --no-color`)).toBe(false);
  });

  it('says where the key comes from when there is none', async () => {
    delete desk.terminal.environment['WATCHWORD_KEY'];
    const { code, notes } = await desk.run('status');
    expect(code).toBe(3);
    expect(notes).toContain('Next: watchword login');
  });
});

describe('watchword otp', () => {
  it('sends a code and names the next command', async () => {
    const line = 'otp send +2348030000000 --length 6 --ttl 60';
    const { code, output, notes } = await desk.run(line, [{ status: 200, body: otp }]);
    expect([code, output]).toEqual([0, `${id}  pending  +2348030000000  5 credits\n`]);
    expect(notes).toBe(`Next: watchword otp verify ${id} 123456\n`);
    expect(sent()).toMatchObject([
      {
        path: '/v1/otp/send',
        body: { phone_number: '+2348030000000', code_length: 6, ttl_seconds: 60 },
      },
    ]);
  });

  it('prints nothing but JSON with --json', async () => {
    const { output, notes } = await desk.run('otp send +2348030000000 --json', [
      { status: 200, body: otp },
    ]);
    expect([JSON.parse(output), notes]).toEqual([otp, '']);
  });

  it('exits with 10 where the code is wrong', async () => {
    const body = { valid: false, status: 'sent', attempts_used: 1, attempts_remaining: 2 };
    const { code, output } = await desk.run(`otp verify ${id} 000000`, [{ status: 200, body }]);
    expect([code, output]).toEqual([10, 'The code is wrong. Attempts left: 2.\n']);
  });
});

describe('watchword trigger', () => {
  it('sends to the magic number of the event', async () => {
    const body = { id, status: 'pending' };
    await desk.run('trigger sms.failed', [{ status: 200, body }]);
    expect(sent()).toMatchObject([
      { path: '/v1/sms/send', body: { phone_number: '+2348030000016' } },
    ]);
  });

  it('refuses a live key, which would charge', async () => {
    desk.terminal.environment['WATCHWORD_KEY'] = KEY.replace('test', 'live');
    const { code, notes } = await desk.run('trigger sms.failed');
    expect(code).toBe(2);
    expect(notes).toContain('svc_test_');
    expect(sent()).toEqual([]);
  });
});
