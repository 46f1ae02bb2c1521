import './style.css';
import { keptTheme, wearTheme } from './app/theme.ts';
import { onChangeElsewhere } from './session/change.ts';
import { enter } from './session/enter.ts';

wearTheme(keptTheme());
onChangeElsewhere((change) => (change === 'opened' ? location.reload() : undefined));
void open();

async function open(): Promise<void> {
  // Asked before the console itself is there: neither waits for the other.
  const entering = enter();
  const { show } = await import('./app/show.tsx');
  show(await entering);
}
