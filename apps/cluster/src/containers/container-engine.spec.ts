import { readFileSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { ContainerEngine, IMAGES } from './container-engine.js';
import type { Runtime } from './testcontainers.js';

const runtime = {
  whyUnsuitable: jest.fn<() => Promise<string | undefined>>(),
  startReaper: jest.fn<() => Promise<void>>(),
  hasImage: jest.fn<() => Promise<boolean>>(),
  fetchImage: jest.fn<(image: string) => Promise<void>>(),
};
const found = jest.fn<() => Promise<Runtime | undefined>>();

const find = (said: string[]) => ContainerEngine.find((sentence) => said.push(sentence), found);

function answering(): string[] {
  found.mockResolvedValue(runtime as unknown as Runtime);
  runtime.whyUnsuitable.mockResolvedValue(undefined);
  runtime.startReaper.mockResolvedValue(undefined);
  runtime.hasImage.mockResolvedValue(true);
  runtime.fetchImage.mockReset().mockResolvedValue(undefined);
  return [];
}

describe('a container engine', () => {
  it('is none where none answers, without a word', async () => {
    const said = answering();
    found.mockResolvedValue(undefined);
    expect(await find(said)).toBeUndefined();
    expect(said).toEqual([]);
  });

  it('is not used where it cannot help or clean up, and says why', async () => {
    const said = answering();
    runtime.whyUnsuitable.mockResolvedValue('it is elsewhere');
    expect(await find(said)).toBeUndefined();
    runtime.whyUnsuitable.mockResolvedValue(undefined);
    runtime.startReaper.mockRejectedValue(new Error('no such image\nat somewhere'));
    expect(await find(said)).toBeUndefined();
    expect(said).toEqual([
      'The container engine is not used: it is elsewhere',
      'The container engine is not used: no such image',
    ]);
  });

  it('is asked for the images of docker-compose.yml', () => {
    const file = new URL('../../../../docker-compose.yml', import.meta.url);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(`image: \${KAFKA_IMAGE:-${IMAGES.kafka}}`);
    expect(text).toContain(`image: \${REDIS_IMAGE:-${IMAGES.redis}}`);
  });

  it('pulls a missing image, and says so', async () => {
    const said = answering();
    runtime.hasImage.mockResolvedValue(false);
    const engine = await find(said);
    expect(await engine?.kafka()).toMatchObject({ classPath: '/opt/kafka/libs/*' });
    expect(runtime.fetchImage).toHaveBeenCalledWith('apache/kafka:4.1.1');
    expect(said).toEqual([expect.stringContaining('Fetching the image apache/kafka:4.1.1')]);
  });

  it('whose image cannot be had leaves the server to this machine', async () => {
    const said = answering();
    runtime.hasImage.mockResolvedValue(false);
    runtime.fetchImage.mockRejectedValue(new Error('no route to the registry'));
    const engine = await find(said);
    expect(await engine?.redis()).toBeUndefined();
    expect(said.at(-1)).toMatch(/^No image redis:\S+, so this machine's own is used: no route/);
  });
});
