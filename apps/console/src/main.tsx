import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './style.css';
import { Console } from './app/console.tsx';
import { SignIn } from './app/sign-in.tsx';
import { keptTheme, wearTheme } from './app/theme.ts';
import { enter } from './session/enter.ts';

// A part that the gateway no longer has: it was upgraded under the page.
addEventListener('vite:preloadError', () => location.reload());
wearTheme(keptTheme());
const place = document.getElementById('console');
if (place === null) throw new Error('the page has no place for the console');
const entered = await enter();
createRoot(place).render(
  <StrictMode>
    {entered.is === 'known' ? <Console /> : <SignIn trouble={entered.trouble} />}
  </StrictMode>,
);
