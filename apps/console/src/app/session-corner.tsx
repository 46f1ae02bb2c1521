import { Suspense, lazy, useState } from 'react';
import { LogOut } from 'lucide-react';
import { second } from '../wire/second.ts';
import { roleWord } from '../wire/role-words.ts';
import { useCaller } from './caller.ts';

/** Not on the first frame. */
const LeaveQuestion = lazy(async () => ({ default: (await second()).LeaveQuestion }));

/** Who is signed in, and the way out. */
export function SessionCorner() {
  const { name, principal, role } = useCaller();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <span className="min-w-0 flex-1 px-2 py-1 text-sm">
        <span title={principal} className="block truncate font-medium">
          {name || principal}
        </span>
        <span className="block text-xs text-soft">{roleWord(role)}</span>
      </span>
      <button
        type="button"
        aria-label="End this session"
        title="End this session"
        onClick={() => setIsAsking(true)}
        className="rounded-lg p-2 text-soft hover:bg-raised hover:text-ink"
      >
        <LogOut size={17} aria-hidden="true" />
      </button>
      <Suspense>
        <LeaveQuestion isOpen={isAsking} onClose={() => setIsAsking(false)} />
      </Suspense>
    </>
  );
}
