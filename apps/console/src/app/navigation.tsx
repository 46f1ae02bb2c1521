import { Link } from '@tanstack/react-router';
import { Badge } from '@palyra/ui';
import { usePending } from '../approvals/use-pending.ts';
import { usePlaces } from './use-places.ts';

export function Navigation() {
  const places = usePlaces();
  const pending = usePending();
  return (
    <nav aria-label="Main" className="flex flex-col gap-0.5 overflow-y-auto p-2">
      {places.map(({ path, name, icon }) => (
        <Link
          key={path}
          to={path}
          activeOptions={{ exact: path === '/' }}
          className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm text-soft hover:bg-raised hover:text-ink"
          activeProps={{
            className: 'bg-accent-tint font-medium !text-accent',
            'aria-current': 'page',
          }}
        >
          {icon}
          {name}
          {path === '/approvals' && pending.length > 0 ? (
            <span className="ml-auto">
              <Badge tone="wait">{pending.length}</Badge>
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
