import type { ReactNode } from 'react';
import { DropdownMenu } from 'radix-ui';
import { classes } from './classes.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly tone?: 'plain' | 'danger';
  readonly onChoose: () => void;
}

export interface MenuProps {
  /** The button that opens it. */
  readonly children: ReactNode;
  readonly items: readonly MenuItem[];
}

/** Not modal: a modal one writes a style element that the page's policy forbids. */
export function Menu({ children, items }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 min-w-44 rounded-lg border border-line bg-card p-1 text-sm shadow-float"
        >
          {items.map(({ label, icon, tone, onChoose }) => (
            <DropdownMenu.Item
              key={label}
              onSelect={onChoose}
              className={classes(
                'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 outline-none data-[highlighted]:bg-raised',
                tone === 'danger' && 'text-bad',
              )}
            >
              {icon}
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
