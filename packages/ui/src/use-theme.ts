import { useSyncExternalStore } from 'react';

const DARK = '(prefers-color-scheme: dark)';

/** `light` or `dark`, whoever chose it. */
export function useTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, read);
}

function read(): 'light' | 'dark' {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia(DARK).matches ? 'dark' : 'light';
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const query = matchMedia(DARK);
  query.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    query.removeEventListener('change', onChange);
  };
}
