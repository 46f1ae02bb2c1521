import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './style.css';
import { Console } from './app/console.tsx';
import { OtherLink } from './app/other-link.tsx';
import { SignIn } from './app/sign-in.tsx';
import { keptTheme, wearTheme } from './app/theme.ts';
import { onChangeElsewhere } from './session/change.ts';
import { type Entered, enter } from './session/enter.ts';

wearTheme(keptTheme());
const place = document.getElementById('console');
if (place === null) throw new Error('the page has no place for the console');
onChangeElsewhere(() => location.reload());
const root = createRoot(place);
const show = (page: ReactNode) => root.render(<StrictMode>{page}</StrictMode>);
show(pageFor(await enter()));

function pageFor(entered: Entered): ReactNode {
  switch (entered.is) {
    case 'known':
      return <Console />;
    case 'asked':
      return <OtherLink {...entered} onStay={() => show(<Console />)} />;
    case 'stranger':
      return <SignIn trouble={entered.trouble} />;
  }
}
