import { type ReactNode, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { onEnded } from '../session/ended.ts';
import { ENDED, type Entered } from '../session/enter.ts';
import { keepHealth } from '../wire/use-health.ts';
import { Console } from './console.tsx';
import { OtherLink } from './other-link.tsx';
import { router } from './router.tsx';
import { SignIn } from './sign-in.tsx';

/** Contract: once for each page. */
export async function show(entering: Promise<Entered>): Promise<void> {
  const place = document.getElementById('console');
  if (place === null) throw new Error('the page has no place for the console');
  // While the gateway is being asked who is there: which page it is to be.
  const root = createRoot(place);
  void router.load();
  put(await entering, (page) => root.render(<StrictMode>{page}</StrictMode>));
}

function put(entered: Entered, draw: (page: ReactNode) => void): void {
  if (entered.is !== 'stranger') void keepHealth(entered.health);
  switch (entered.is) {
    case 'known':
      draw(<Console caller={entered.caller} />);
      break;
    case 'asked':
      draw(<OtherLink {...entered} onStay={() => draw(<Console caller={entered.caller} />)} />);
      break;
    case 'stranger':
      return draw(<SignIn trouble={entered.trouble} />);
  }
  // Last, so that nothing is drawn over it where the end was heard already.
  onEnded(() => {
    // At once, and with it goes whatever would ask before the page is left.
    flushSync(() => draw(<SignIn trouble={ENDED} />));
    // What the page still holds in memory is of somebody who may see it no longer.
    location.reload();
  });
}
