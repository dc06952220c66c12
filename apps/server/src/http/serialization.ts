import type { FastifyInstance } from 'fastify';

/**
 * Results as JSON. Handlers are typed from the contract; a second description of their results would only truncate them.
 * A list that several requests share is written once.
 */
export function registerSerialization(app: FastifyInstance): void {
  const texts = new WeakMap<object, string>();
  app.setSerializerCompiler(() => (value: unknown) => {
    if (!Array.isArray(value)) return JSON.stringify(value);
    const text = texts.get(value) ?? JSON.stringify(value);
    texts.set(value, text);
    return text;
  });
}
