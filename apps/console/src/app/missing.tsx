import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Card, Empty, Page } from '@palyra/ui';

export function Missing() {
  return (
    <Page title="Not found">
      <Card>
        <Empty icon={<Compass size={20} />} title="There is nothing at this address">
          <Link to="/" className="text-accent hover:underline">
            Home
          </Link>
        </Empty>
      </Card>
    </Page>
  );
}
