import { type ReactNode, useEffect, useState } from 'react';
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
  readonly width?: keyof typeof WIDTHS;
}

const WIDTHS = { normal: 'max-w-lg', wide: 'max-w-4xl', widest: 'max-w-7xl' } as const;

/**
 * Takes the keyboard until it is closed, and gives it back to where it was, unless somebody has taken it
 * by then. Escape closes it.
 */
export function Dialog({ isOpen, onClose, ...content }: DialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        {/* Not the library's own overlay, which writes a style element that the page's policy forbids. */}
        <div aria-hidden="true" className="fixed inset-0 z-40 bg-shade" />
        <Content {...content} />
      </Radix.Portal>
    </Radix.Root>
  );
}

type ContentProps = Omit<DialogProps, 'isOpen' | 'onClose'>;

function Content({ title, says, children, width = 'normal' }: ContentProps) {
  return (
    <Radix.Content
      {...(says === undefined ? { 'aria-describedby': undefined } : {})}
      // The library gives the focus to the button that it was opened with, and knows of none; and it does
      // so a moment later, when something else may have it.
      onCloseAutoFocus={(event) => event.preventDefault()}
      className={classes(
        'fixed top-1/2 left-1/2 z-50 flex max-h-[88vh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-card border border-line bg-card shadow-float',
        WIDTHS[width],
      )}
    >
      <GiveBack />
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
  );
}

/**
 * In the content, so that its own trap for the focus is gone when this is taken away. What stands there
 * next is drawn after that: a dialog that follows at once finds the focus where the first one found it.
 */
function GiveBack() {
  // Asked for before anything in here takes the focus.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isFree = document.activeElement === document.body;
      if (isFree && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
  return null;
}
