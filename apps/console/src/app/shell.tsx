import { Suspense, lazy, useEffect, useState } from 'react';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { classes } from '@palyra/ui';
import { useNotices } from '../approvals/use-notices.ts';
import { beginSecond, second } from '../wire/second.ts';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { SessionCorner } from './session-corner.tsx';
import { ThemeButton } from './theme-button.tsx';
import { TopBar } from './top-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { useTitle } from './use-title.ts';

/** Not on the first frame. */
const Palette = lazy(async () => ({ default: (await second()).Palette }));

/** What stands around every page. */
export function Shell() {
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const openPalette = () => setIsPaletteOpen(true);
  useShortcuts({ onPalette: openPalette });
  useTitle();
  useNotices();
  useEffect(() => setIsMenuOpen(false), [path]);
  useEffect(() => void beginSecond(), []);
  return (
    <div className="grid min-h-dvh grid-cols-1 md:grid-cols-[14rem_1fr]">
      <a
        href="#page"
        className="sr-only z-50 rounded-lg bg-accent-fill px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        To the page
      </a>
      <aside
        className={classes(
          'flex-col border-r border-line bg-card md:sticky md:top-0 md:flex md:h-dvh',
          isMenuOpen ? 'fixed inset-0 z-20 flex pt-14 md:pt-0' : 'hidden',
        )}
      >
        <div className="flex h-14 shrink-0 items-center px-4 max-md:hidden">
          <Logo />
        </div>
        <Navigation />
        <div className="mt-auto flex items-center justify-between gap-1 border-t border-line p-2">
          <SessionCorner />
          <ThemeButton />
        </div>
      </aside>
      <div className="flex min-w-0 flex-col">
        <TopBar
          isMenuOpen={isMenuOpen}
          onMenu={() => setIsMenuOpen(!isMenuOpen)}
          onPalette={openPalette}
        />
        <main id="page" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      <Suspense>
        <Palette isOpen={isPaletteOpen} onClose={() => setIsPaletteOpen(false)} />
      </Suspense>
    </div>
  );
}
