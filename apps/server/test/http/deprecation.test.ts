import { expect, test } from 'vitest';
import { temporaryServer } from '../support/server.ts';

test('getPet announces its removal and its replacement; no other operation does', async () => {
  const server = await temporaryServer();
  const announced = async (path: string) => {
    const { deprecation, sunset, link } = Object.fromEntries((await server.request(path)).headers);
    return { deprecation, sunset, link };
  };
  expect(await announced('/v1/pets/1')).toEqual({
    deprecation: `@${Date.UTC(2026, 10, 20) / 1000}`,
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: '</v1/pets?status=available>; rel="successor-version"',
  });
  const nothing = { deprecation: undefined, sunset: undefined, link: undefined };
  expect(await announced('/v1/pets')).toEqual(nothing);
});
