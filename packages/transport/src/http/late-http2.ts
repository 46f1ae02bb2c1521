import type * as Http2 from 'node:http2';

/**
 * Loaded with the first connection that speaks it: Node's HTTP/2 brings along more than all the rest of
 * a port, and a start would wait for that. At once, because a connection that is let in is served at once.
 */
export function http2(): typeof Http2 {
  return process.getBuiltinModule('node:http2');
}
