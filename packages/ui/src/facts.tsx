import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

/** Names and values in two columns; on a phone one below the other. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[max-content_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft max-sm:mt-1.5">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
