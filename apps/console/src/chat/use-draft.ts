import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { useImages } from './use-images.ts';
import { type Destination, useSend } from './use-send.ts';

/** What is being written, and how it is sent. It stays until the gateway has taken it. */
export function useDraft(
  destination: Destination,
  onStarted: ((runId: string) => void) | undefined,
) {
  const [text, setText] = useState('');
  const [model, setModel] = useState('');
  const { images, add, remove, clear } = useImages();
  const sending = useSend(destination, (runId) => {
    setText('');
    clear();
    onStarted?.(runId);
  });
  const canSend = text.trim() !== '' && !sending.isPending;
  const send = () => {
    if (canSend) sending.mutate({ prompt: text, model, images });
  };
  return {
    text,
    setText,
    model,
    setModel,
    images,
    add,
    remove,
    send,
    canSend,
    isSending: sending.isPending,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
      event.preventDefault();
      send();
    },
    onPaste: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files];
      if (files.length === 0) return;
      event.preventDefault();
      add(files);
    },
  };
}
