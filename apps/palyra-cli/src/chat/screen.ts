import { render } from 'ink';
import { createElement as h } from 'react';
import { type ChatProps, ChatView } from './views/chat-view.ts';

export interface Screen extends Disposable {
  /** Resolves when the terminal is as it was; rejects when drawing broke. */
  readonly closed: Promise<unknown>;
}

export interface ScreenParts extends ChatProps {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

const FRAMES_A_SECOND = 30;

/**
 * Draws a chat until it is disposed of. INVARIANT: the only file that loads the library for terminals
 * is reached from here; it is a bundle of its own that nothing but `palyra chat` loads.
 */
export function openScreen({ stage, look, stdin, stdout }: ScreenParts): Screen {
  const drawn = render(h(ChatView, { stage, look }), {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    maxFps: FRAMES_A_SECOND,
  });
  return {
    closed: drawn.waitUntilExit(),
    [Symbol.dispose]: () => drawn.unmount(),
  };
}
