import { type EntryDraft, PalyraError } from '@palyra/kernel';
import { type TestGateway, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { JournalReader } from './journal-reader.ts';
import type { JournalPort } from './ports.ts';

const NOTE: EntryDraft = { kind: 'daemon.stopped', actor: 'gateway', payload: { reason: 'test' } };
/** An id of long before. */
const NOBODYS = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

async function refusal(reader: JournalReader, name: string) {
  try {
    await reader.find(name);
  } catch (error) {
    const { code, message, help } = PalyraError.from(error);
    return { code, message, help };
  }
  throw new Error('it was found');
}

/** Of a store whose first two entries were archived. */
function cutReader({ journal: real, parts }: TestGateway): JournalReader {
  const journal: JournalPort = {
    ...real,
    find: async (id) => {
      const entry = await real.find(id);
      return entry !== undefined && entry.sequence > 2 ? entry : undefined;
    },
    page: (query) => real.page({ ...query, after: Math.max(query.after, 2) }),
  };
  return new JournalReader(journal, parts.runs);
}

describe('an entry that is not in the store', () => {
  it('is not looked for in the archive while nothing was archived', async () => {
    await using test = await testGateway();
    await test.journal.append([NOTE]);
    const refused = await refusal(test.gateway.journal, NOBODYS);
    expect(refused.message).toBe(`there is no journal entry \`${NOBODYS}\``);
    expect(refused.help).not.toContain('archive');
  });

  it('may be in a file of the archive, when it has an id of before the store begins', async () => {
    await using test = await testGateway();
    await test.journal.append([NOTE, NOTE, NOTE]);
    expect(await refusal(cutReader(test), NOBODYS)).toEqual({
      code: 'NOT_FOUND',
      message: `journal entry \`${NOBODYS}\` is not in the store, which begins with entry 3`,
      help: 'if there ever was one, it is in one of the files that `palyra journal archive` wrote, a line each entry',
    });
  });

  it('is in a file of the archive, when it has a number of before the store begins', async () => {
    await using test = await testGateway();
    await test.journal.append([NOTE, NOTE, NOTE]);
    expect(await refusal(cutReader(test), '2')).toMatchObject({
      help: 'it is in one of the files that `palyra journal archive` wrote, a line each entry',
    });
    expect((await refusal(cutReader(test), '4')).help).not.toContain('archive');
  });
});
