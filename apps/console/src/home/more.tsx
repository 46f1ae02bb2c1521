import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';

/** From a card to its page. */
export function More({
  to,
  label,
}: {
  readonly to: '/approvals' | '/doctor' | '/journal' | '/policy' | '/runs' | '/sandbox';
  readonly label: string;
}) {
  return (
    <Link
      to={to}
      className="inline-flex items-center gap-1 rounded text-sm text-accent hover:underline"
    >
      {label}
      <ArrowRight size={14} aria-hidden="true" />
    </Link>
  );
}
