import type { ReactNode } from 'react';
import { visibleText } from '@palyra/kernel';

export interface OutputTextProps {
  readonly label: string;
  readonly text?: string;
  readonly children?: ReactNode;
}

/** What a program wrote, as it stands, every invisible character made visible. */
export function OutputText({ label, text, children }: OutputTextProps) {
  return (
    <pre
      tabIndex={0}
      aria-label={label}
      role="group"
      className="overflow-x-auto rounded-lg bg-raised p-3 text-[0.8125rem] leading-relaxed whitespace-pre-wrap wrap-anywhere"
    >
      {text === undefined ? children : visibleText(text)}
    </pre>
  );
}
