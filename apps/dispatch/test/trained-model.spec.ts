import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { trainSpamModel } from '../src/fraud/anti-spam/model/train-spam-model.handler.js';
import { smsCommand } from './commands.kit.js';
import { type Kit, startKit } from './dispatch.kit.js';
import { corpus, tsvOf } from './spam-corpus.kit.js';

let directory: string;
let version: string;
let kit: Kit;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-model-'));
  const trained = trainSpamModel(tsvOf(corpus(120)), '2026-11-26', () => {});
  if ('problems' in trained) throw new Error(trained.problems.join());
  version = trained.version;
  const antiSpamModel = join(directory, 'model.json');
  await writeFile(antiSpamModel, trained.json);
  kit = await startKit({ config: { antiSpamModel } });
});

afterAll(async () => {
  await kit?.close();
  await rm(directory, { recursive: true, force: true });
});

function sms(body: string, antiSpam: 'tag' | 'block') {
  const command = smsCommand();
  return { ...command, sms: command.sms && { ...command.sms, body, anti_spam: antiSpam } };
}

it('a trained model blocks and tags what the rules let pass, and nothing else', async () => {
  const { spam, clean } = corpus(2, 5);
  const [blocked, tagged, passed] = [
    sms(spam[0]!, 'block'),
    sms(spam[1]!, 'tag'),
    sms(clean[0]!, 'block'),
  ];
  for (const command of [blocked, tagged, passed]) await kit.send(command);
  const verdict = { flagged: true, model: 'trained', version, reasons: ['trained_model'] };
  await kit.until(blocked.message_id, 'blocked');
  expect(await kit.stored(blocked.message_id)).toMatchObject({
    reason: 'antispam_blocked',
    antispam: { ...verdict, action: 'block' },
  });
  expect(await kit.stored(tagged.message_id)).toMatchObject({
    antispam: { ...verdict, action: 'tag' },
    metadata: { antispam: { label: 'spam', reasons: ['trained_model'] } },
  });
  expect(await kit.stored(passed.message_id)).toMatchObject({
    antispam: { flagged: false, action: 'none', model: 'rules' },
  });
});
