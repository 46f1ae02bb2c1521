import type { ReactNode } from 'react';

export interface PageProps {
  readonly title: string;
  readonly says?: string;
  /** What can be done here. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, says, actions, children }: PageProps) {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 py-6 sm:px-6">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {says === undefined ? null : <p className="mt-0.5 text-sm text-soft">{says}</p>}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
