import type { ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** One thing that has to be known before a question is answered. */
export function Section({ title, children }: SectionProps) {
  return (
    <section className="flex min-w-0 flex-col gap-2.5 border-t border-line px-4 py-4">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}
