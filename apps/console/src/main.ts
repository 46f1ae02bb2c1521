import './style.css';
import { keptTheme, wearTheme } from './app/theme.ts';
import { onChangeElsewhere } from './session/change.ts';
import { enter } from './session/enter.ts';

// First, since it waits for the browser most of the time, as reading the theme does all of it.
void open();
wearTheme(keptTheme());
onChangeElsewhere((change) => (change === 'opened' ? location.reload() : undefined));

async function open(): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const entering = enter(asked.resolve);
  // The question first: it takes a few short turns to ask, and the console one long turn to begin.
  await Promise.race([asked.promise, entering]);
  const { show } = await import('./app/show.tsx');
  await show(entering);
}
