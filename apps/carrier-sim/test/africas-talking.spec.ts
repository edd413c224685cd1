import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from './carrier-sim.kit.js';

const TO = '+254711000001';
const SECRET_PATH = '/callbacks/africas_talking/secret';

describe("Africa's Talking", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  it('Africa’s Talking reports to the account, unsigned, with its own id only', async () => {
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

  it('Africa’s Talking shows a do-not-disturb refusal in the HTTP status too', async () => {
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

  it('a request to Africa’s Talking fails as a whole when the scenario of one recipient says so', async () => {
    await bench.scenario({ to: TO, submit: { kind: 'http_status', status: 502 } });
    const { status } = await bench.africasTalking({ phoneNumbers: ['+254711000002', TO] });
    expect(status).toBe(502);
    expect((await bench.control('GET', '/messages')).json).toEqual([]);
  });
});
