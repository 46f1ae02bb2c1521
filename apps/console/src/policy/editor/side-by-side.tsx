import type { ReactNode } from 'react';

/** What is written beside what comes of it; one below the other where there is no room. */
export function SideBySide({ children }: { readonly children: ReactNode }) {
  return <div className="grid grid-cols-1 gap-5 lg:grid-cols-2 [&>*]:min-w-0">{children}</div>;
}
