import { type ReactNode, useRef, useState } from 'react';
import { DropdownMenu } from 'radix-ui';
import { classes } from './classes.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly tone?: 'plain' | 'danger';
  /** Contract: called when the menu is gone and its button has the focus, so that a dialog gives it back there. */
  readonly onChoose: () => void;
}

export interface MenuProps {
  /** The button that opens it. */
  readonly children: ReactNode;
  readonly items: readonly MenuItem[];
}

/** Not modal: a modal one writes a style element that the page's policy forbids. */
export function Menu({ children, items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const chosen = useRef<MenuItem>(undefined);
  // In the part of the page that its button is in: what is outside all of them is skipped by who goes from part to part.
  const [part, setPart] = useState<HTMLElement | null>(null);
  const onTurn = (isOpen: boolean) => {
    if (isOpen) setPart(button.current?.closest('main') ?? null);
  };
  const onGone = (event: Event) => {
    event.preventDefault();
    if (document.activeElement === document.body) button.current?.focus();
    chosen.current?.onChoose();
    chosen.current = undefined;
  };
  return (
    <DropdownMenu.Root modal={false} onOpenChange={onTurn}>
      <DropdownMenu.Trigger ref={button} asChild>
        {children}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={part}>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          onCloseAutoFocus={onGone}
          // Over notices: whoever has opened it is about to choose.
          className="z-70 min-w-44 rounded-lg border border-line bg-card p-1 text-sm shadow-float"
        >
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.label}
              onSelect={() => {
                chosen.current = item;
              }}
              className={classes(
                'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 outline-none data-[highlighted]:bg-raised',
                item.tone === 'danger' && 'text-bad',
              )}
            >
              {item.icon}
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
