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
});
