/**
 * Loading it costs more than everything else that a start does, and only reading a request needs it.
 * It finds its parts through metadata, which has to be there first.
 */
export async function loadX509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

export type X509 = Awaited<ReturnType<typeof loadX509>>;
