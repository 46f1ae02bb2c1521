import { Link } from '@tanstack/react-router';
import { Empty } from '@palyra/ui';

export function Missing() {
  return (
    <Empty title="There is nothing at this address">
      <Link to="/" className="text-accent hover:underline">
        Home
      </Link>
    </Empty>
  );
}
