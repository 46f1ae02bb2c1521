import fastify from 'fastify';

const [port = ''] = process.argv.slice(2);
const app = fastify();
app.get('/healthz', (_request, reply) => reply.send('ok'));
await app.listen({ port: Number(port), host: '127.0.0.1' });
