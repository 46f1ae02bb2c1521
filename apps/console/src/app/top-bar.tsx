import { Menu as MenuIcon, Search } from 'lucide-react';
import { KeyHint } from '@palyra/ui';
import { LiveLight } from './live-light.tsx';
import { Logo } from './logo.tsx';

export interface TopBarProps {
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  readonly onPalette: () => void;
}

export function TopBar({ isMenuOpen, onMenu, onPalette }: TopBarProps) {
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-3 border-b border-line bg-card px-4 md:bg-ground">
      <button
        type="button"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        onClick={onMenu}
        className="-ml-1 rounded-lg p-2 text-soft hover:bg-raised md:hidden"
      >
        <MenuIcon size={19} aria-hidden="true" />
      </button>
      <span className="md:hidden">
        <Logo />
      </span>
      <button
        type="button"
        onClick={onPalette}
        className="ml-auto flex h-9 items-center gap-2 rounded-lg border border-line bg-card px-3 text-sm text-soft hover:border-strong-line md:ml-0 md:w-72"
      >
        <Search size={15} aria-hidden="true" />
        <span className="max-sm:sr-only">Go to or do…</span>
        <span className="ml-auto max-sm:hidden">
          <KeyHint keys="Ctrl K" />
        </span>
      </button>
      <span className="md:ml-auto">
        <LiveLight />
      </span>
    </header>
  );
}
