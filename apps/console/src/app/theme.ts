const KEPT = 'palyra.theme';
export type Theme = 'system' | 'light' | 'dark';

export function keptTheme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function wearTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    delete dataset['theme'];
    localStorage.removeItem(KEPT);
    return;
  }
  dataset['theme'] = theme;
  localStorage.setItem(KEPT, theme);
}
