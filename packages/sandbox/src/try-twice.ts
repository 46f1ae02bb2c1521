/**
 * A trial that somebody killed, or for which there was no room for a moment, says nothing about the machine:
 * only what fails again does. Contract: rejects as the second one does.
 */
export async function tryTwice(trial: () => Promise<void>): Promise<void> {
  try {
    await trial();
  } catch {
    await trial();
  }
}
