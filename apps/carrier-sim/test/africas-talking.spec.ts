import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { API_KEY, Bench, USERNAME } from './carrier-sim.kit.js';

const TO = '+254711000001';
const SECRET_PATH = '/callbacks/africas_talking/secret';

describe("Africa's Talking", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const callbackUrl = (callback_url: string | null) =>
    bench.control('PUT', '/accounts/africas_talking', { callback_url });

  it('accepts a message, in the shape of the real answer', async () => {
    const { status, json } = await bench.africasTalking({ phoneNumbers: [TO] });
    expect(status).toBe(201);
    expect(json).toEqual({
      SMSMessageData: {
        Message: 'Sent to 1/1 Total Cost: KES 0.8000',
        Recipients: [
          {
            statusCode: 101,
            number: TO,
            status: 'Success',
            cost: 'KES 0.8000',
            messageId: expect.stringMatching(/^ATXid_[0-9a-f]{32}$/),
          },
        ],
      },
    });
  });

  it('reports to the account, unsigned and naming only its own id', async () => {
    const { json } = await bench.africasTalking({ phoneNumbers: [TO] });
    const [report] = await bench.receiver.waitFor(1);
    expect(report!.path).toBe(SECRET_PATH);
    expect(report!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(report!.form).toEqual({
      id: json.SMSMessageData.Recipients[0].messageId,
      status: 'Success',
      phoneNumber: TO,
      networkCode: '63902',
    });
  });

  it('reports to the URL the account is set to, and nowhere without one', async () => {
    expect((await callbackUrl(null)).status).toBe(200);
    await bench.africasTalking({ phoneNumbers: [TO] });
    const elsewhere = `${bench.receiver.url}/elsewhere`;
    const { json } = await callbackUrl(elsewhere);
    expect(json).toEqual({ provider: 'africas_talking', callback_url: elsewhere });
    await bench.africasTalking({ phoneNumbers: [TO] });
    await bench.receiver.waitFor(1);
    expect(bench.receiver.callbacks.map(({ path }) => path)).toEqual(['/elsewhere']);
    await callbackUrl(`${bench.receiver.url}${SECRET_PATH}`);
  });

  it('accepts the older form with several numbers, charging by the segment', async () => {
    const fields = {
      username: USERNAME,
      to: `${TO},2348031234567,12`,
      message: 'A'.repeat(161),
      bulkSMSMode: '1',
    };
    const { status, json } = await bench.call(
      'POST',
      '/africas-talking/version1/messaging',
      { apikey: API_KEY, 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams(fields).toString(),
    );
    expect(status).toBe(201);
    expect(json.SMSMessageData.Message).toBe('Sent to 2/3 Total Cost: KES 3.2000');
    expect(json.SMSMessageData.Recipients).toMatchObject([
      { number: TO, statusCode: 101, cost: 'KES 1.6000' },
      { number: '+2348031234567', statusCode: 101 },
      { number: '+12', statusCode: 403, status: 'InvalidPhoneNumber', messageId: 'None' },
    ]);
    const rows = (await bench.control('GET', '/messages')).json;
    expect(rows).toMatchObject([
      { to: TO, from: 'AFRICASTKNG', segments: 2 },
      { to: '+2348031234567' },
    ]);
  });

  it('refuses bad credentials with 401 and plain text', async () => {
    const wrongKey = await bench.africasTalking({ phoneNumbers: [TO] }, { apiKey: 'wrong' });
    expect([wrongKey.status, wrongKey.text]).toEqual([
      401,
      'The supplied authentication is invalid',
    ]);
    const wrongUser = await bench.africasTalking({ phoneNumbers: [TO], username: 'stranger' });
    expect(wrongUser.status).toBe(401);
  });

  it.each<[string, Record<string, unknown>]>([
    ['phoneNumbers', { phoneNumbers: TO }],
    ['message', { phoneNumbers: [TO], message: '' }],
    ['senderId', { phoneNumbers: [TO], senderId: undefined }],
  ])('answers 400 where %s is missing', async (member, fields) => {
    const { status, text } = await bench.africasTalking(fields);
    expect(status).toBe(400);
    expect(text).toContain(`'${member}'`);
  });

  it('answers 400 to what is not JSON', async () => {
    const { status } = await bench.call(
      'POST',
      '/africas-talking/version1/messaging/bulk',
      { apikey: API_KEY, 'content-type': 'application/json' },
      '{',
    );
    expect(status).toBe(400);
  });

  it('refuses a sender of 12 characters', async () => {
    const { json } = await bench.africasTalking({ phoneNumbers: [TO], senderId: 'AcmeAcmeAcme' });
    expect(json.SMSMessageData.Recipients).toMatchObject([
      { statusCode: 402, status: 'InvalidSenderId', cost: '0', messageId: 'None' },
    ]);
  });

  it('shows a do-not-disturb refusal in the HTTP status too', async () => {
    await bench.scenario({ submit: { kind: 'refuse', code: 409 } });
    const { status, json } = await bench.africasTalking({ phoneNumbers: [TO] });
    expect(status).toBe(409);
    expect(json.SMSMessageData).toEqual({
      Message: 'Sent to 0/1 Total Cost: 0',
      Recipients: [
        {
          cost: '0',
          messageId: 'None',
          number: TO,
          status: 'DoNotDisturbRejection',
          statusCode: 409,
        },
      ],
    });
  });

  it('breaks as a whole when one of many recipients calls for it', async () => {
    await bench.scenario({ to: TO, submit: { kind: 'http_status', status: 502 } });
    const { status } = await bench.africasTalking({ phoneNumbers: ['+254711000002', TO] });
    expect(status).toBe(502);
    expect((await bench.control('GET', '/messages')).json).toEqual([]);
  });

  describe('native codes of the magic numbers', () => {
    it.each([
      [15, 402, 'InvalidSenderId'],
      [16, 407, 'CouldNotRoute'],
      [18, 502, 'RejectedByGateway'],
      [20, 406, 'UserInBlacklist'],
      [22, 404, 'UnsupportedNumberType'],
      [24, 401, 'RiskHold'],
      [25, 403, 'InvalidPhoneNumber'],
      [27, 405, 'InsufficientBalance'],
    ])('%i is refused with %i %s', async (digits, statusCode, status) => {
      const { json } = await bench.africasTalking({ phoneNumbers: [`+2332400000${digits}`] });
      expect(json.SMSMessageData.Recipients).toMatchObject([{ statusCode, status }]);
      expect((await bench.control('GET', '/messages')).json).toEqual([]);
    });

    it.each<[number, string, string | undefined]>([
      [10, 'Failed', 'UserDoesNotExist'],
      [11, 'AbsentSubscriber', undefined],
      [12, 'Failed', 'DeliveryFailure'],
      [13, 'Failed', 'UserAccountSuspended'],
      [14, 'Rejected', undefined],
      [17, 'Failed', 'DeliveryFailure'],
      [19, 'Expired', undefined],
      [21, 'Rejected', 'DoNotDisturbRejection'],
      [23, 'Failed', 'Xyz'],
    ])('%i is accepted, then %s %s', async (digits, status, failureReason) => {
      const { json } = await bench.africasTalking({ phoneNumbers: [`+278200000${digits}`] });
      expect(json.SMSMessageData.Recipients).toMatchObject([{ statusCode: 101 }]);
      const [report] = await bench.receiver.waitFor(1);
      expect([report!.form.status, report!.form.failureReason]).toEqual([status, failureReason]);
      expect((await bench.control('GET', '/messages')).json).toEqual([]);
    });
  });

  it('sends a forged report without the secret of the callback URL', async () => {
    await bench.scenario({
      receipts: [
        { after_ms: 0, outcome: 'failed', forged: true },
        { after_ms: 20, outcome: 'delivered' },
      ],
    });
    await bench.africasTalking({ phoneNumbers: [TO] });
    const reports = await bench.receiver.waitFor(2);
    expect(reports.map(({ path }) => path)).toEqual([
      '/callbacks/africas_talking/forged',
      SECRET_PATH,
    ]);
  });
});
