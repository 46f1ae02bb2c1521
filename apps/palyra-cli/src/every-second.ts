/** Does it again and again until it is disposed of; keeps no program alive. */
export function everySecond(act: () => void): Disposable {
  const timer = setInterval(act, 1000).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
