import { useState } from 'react';
import { Moon, Sun, SunMoon } from 'lucide-react';
import { type Theme, keptTheme, wearTheme } from './theme.ts';

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const;
const ICONS = { system: SunMoon, light: Sun, dark: Moon } as const;

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(keptTheme);
  const Icon = ICONS[theme];
  const change = () => {
    wearTheme(NEXT[theme]);
    setTheme(NEXT[theme]);
  };
  return (
    <button
      type="button"
      onClick={change}
      aria-label={`Theme: ${theme}. Change`}
      title={`Theme: ${theme}`}
      className="rounded-lg p-2 text-soft hover:bg-raised hover:text-ink"
    >
      <Icon size={17} aria-hidden="true" />
    </button>
  );
}
