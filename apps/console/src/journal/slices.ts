/** Work between two moments in which the page may do other things; far below what one would feel. */
const SLICE_MS = 12;

/** Hands items on, and lets the page breathe in between. `onBreath` is told how many there were. */
export async function* inSlices<Item>(
  items: AsyncIterable<Item>,
  onBreath: (count: number) => void,
): AsyncGenerator<Item, void, undefined> {
  let since = performance.now();
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (performance.now() - since < SLICE_MS) continue;
    onBreath(count);
    await breath();
    since = performance.now();
  }
}

/** Not a timer: those are slowed down in a tab that nobody looks at. */
async function breath(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    port1.addEventListener('message', () => resolve());
    port1.start();
    port2.postMessage(undefined);
  });
  port1.close();
}
