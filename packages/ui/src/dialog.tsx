import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { classes } from './classes.ts';

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence below the title. */
  readonly says?: string;
  readonly children: ReactNode;
  readonly width?: 'normal' | 'wide';
}

/** Takes the keyboard until it is closed; Escape closes it. */
export function Dialog({ isOpen, onClose, title, says, children, width = 'normal' }: DialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        {/* Not the library's own overlay, which writes a style element that the page's policy forbids. */}
        <div aria-hidden="true" className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          {...(says === undefined ? { 'aria-describedby': undefined } : {})}
          className={classes(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[88vh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-card border border-line bg-card shadow-float',
            width === 'wide' ? 'max-w-4xl' : 'max-w-lg',
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4">
            <div>
              <Radix.Title className="font-semibold">{title}</Radix.Title>
              {says === undefined ? null : (
                <Radix.Description className="mt-1 text-sm text-soft">{says}</Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label="Close"
              className="-mr-1.5 rounded-lg p-1.5 text-soft hover:bg-raised hover:text-ink"
            >
              <X size={18} aria-hidden="true" />
            </Radix.Close>
          </header>
          <div className="min-h-0 overflow-y-auto px-5 py-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
