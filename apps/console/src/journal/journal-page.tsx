import { useState } from 'react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { Button, Page, classes } from '@palyra/ui';
import { useKeys } from '../app/use-keys.ts';
import { EntryPane } from './entry-pane.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type JournalFilter, readFilter } from './filter.ts';
import { Timeline } from './timeline.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

/** Everything that happened, and the proof of it. */
export function JournalPage() {
  const filter = readFilter(useSearch({ strict: false }));
  const { entryId } = useParams({ strict: false });
  const navigate = useNavigate();
  const [isVerifying, setIsVerifying] = useState(false);
  const show = (next: JournalFilter) =>
    void navigate({ to: '/journal', search: next, replace: true });
  const closeEntry = () => void navigate({ to: '/journal', search: filter });
  useKeys(({ key }) => {
    if (key === 'Escape' && entryId !== undefined) closeEntry();
  });
  return (
    <Page
      title="Journal"
      says="Everything that happened, newest first. Each entry names the hash of the one before it."
      actions={
        <Button onClick={() => setIsVerifying(true)}>
          <ShieldCheck size={16} aria-hidden="true" />
          Verify
        </Button>
      }
    >
      <div className={classes(entryId !== undefined && 'max-lg:hidden')}>
        <FilterBar filter={filter} onChange={show} />
      </div>
      <div
        className={classes(
          'grid grid-cols-1 items-start gap-4',
          entryId !== undefined && 'lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]',
        )}
      >
        <div
          className={classes(
            'min-w-0 rounded-card border border-line bg-card shadow-card lg:sticky lg:top-18',
            entryId !== undefined && 'max-lg:hidden',
          )}
        >
          <Timeline filter={filter} chosen={entryId} />
        </div>
        {entryId === undefined ? null : (
          <EntryPane key={entryId} id={entryId} filter={filter} onClose={closeEntry} />
        )}
      </div>
      <VerifyDialog isOpen={isVerifying} run={filter.run} onClose={() => setIsVerifying(false)} />
    </Page>
  );
}
