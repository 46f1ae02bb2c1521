/** Does one thing after the other. Contract: what is no longer wanted when its turn comes is not done. */
export function oneAtATime() {
  const line = { last: Promise.resolve<unknown>(undefined) };
  return async function inTurn<Outcome>(
    act: () => Promise<Outcome>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const before = line.last;
    const mine = before.then(() => {
      signal.throwIfAborted();
      return act();
    });
    // Whoever waits behind it waits for its end, whatever that is.
    line.last = mine.catch(() => undefined);
    return await mine;
  };
}
