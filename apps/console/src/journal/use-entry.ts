import { useQuery } from '@tanstack/react-query';
import { PalyraError } from '@palyra/kernel';
import type { JournalRecord } from '@palyra/protocol';
import { gateway } from '../wire/gateway.ts';

/** One entry, by its id or its number. It never changes, so it is asked for once. */
export function useEntry(id: string) {
  return useQuery({
    queryKey: ['journal', 'entry', id],
    staleTime: 'static',
    queryFn: async ({ signal }): Promise<JournalRecord> => {
      const { record } = await gateway.journal.getEntry({ id }, { signal });
      if (record !== undefined) return record;
      throw new PalyraError('UNEXPECTED', 'the gateway answered without an entry');
    },
  });
}
