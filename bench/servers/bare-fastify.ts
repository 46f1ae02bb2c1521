import fastify from 'fastify';

const [socketPath = ''] = process.argv.slice(2);
const app = fastify();
app.get('/healthz', (_request, reply) => reply.send('ok'));
await app.listen({ path: socketPath });
