import { create } from '@bufbuild/protobuf';
import { type EgressConnection, EgressConnectionSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ConnectionNotes } from './connection-notes.ts';

const to = (host: string) => create(EgressConnectionSchema, { host });

describe('the connections of one call', () => {
  it('are recorded one after the other, in the order in which they were told', async () => {
    const story: string[] = [];
    const notes = new ConnectionNotes(async ({ host }) => {
      story.push(`${host} begins`);
      await new Promise<void>((resolve) => setImmediate(resolve));
      story.push(`${host} is kept`);
    });
    for (const host of ['one', 'two']) notes.add(to(host));
    await notes.recorded();
    expect(story).toEqual(['one begins', 'one is kept', 'two begins', 'two is kept']);
  });

  it('fail with the first that cannot be recorded, and nothing is recorded after it', async () => {
    const kept: string[] = [];
    const record = async ({ host }: EgressConnection) => {
      if (host === 'bad') throw new Error('the journal is full');
      kept.push(host);
    };
    const notes = new ConnectionNotes(record);
    for (const host of ['good', 'bad', 'later']) notes.add(to(host));
    // Nobody waits yet: a failure must not end the process meanwhile.
    await new Promise<void>((resolve) => setImmediate(resolve));
    await expect(notes.recorded()).rejects.toThrow('the journal is full');
    expect(kept).toEqual(['good']);
  });

  it('are recorded at once when there are none', async () => {
    const notes = new ConnectionNotes(() => Promise.reject(new Error('nobody asked')));
    await expect(notes.recorded()).resolves.toBeUndefined();
  });
});
