/** Where nothing is drawn, as in a tab that nobody sees. */
const LONGEST_MS = 500;

/** Once the browser has drawn what is on the page by now. */
export function afterFrame(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LONGEST_MS);
    // In a task of its own: the callback itself comes before what it waits for is drawn.
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
