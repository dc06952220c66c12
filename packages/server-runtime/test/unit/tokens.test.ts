import { generateKeyPairSync } from 'node:crypto';
import { TestClock, TestIssuer } from '@repo/bookstore/testing';
import { importJWK, type JWK } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTokens, tokensOf } from '../../src/api-keys/tokens.ts';

const START = Date.UTC(2026, 10, 20, 12);
const contract = { plans: { free: { perMinute: 1_000, perDay: 100_000 } } };

test('the issuer has withdrawn the key while a token is verified', async () => {
  const issuer = await new TestIssuer().open();
  onTestFinished(() => issuer.close());
  const lookup = vi.fn(async () => {
    tokens.forget();
    return importJWK(issuer.published[0] as JWK, 'ES256');
  });
  const expected = { issuer: issuer.url, audience: 'test' };
  const service = { contract, tokens: { plan: 'free' } };
  const tokens = tokensOf(service, expected, { find: lookup } as never, new TestClock(START).beside());
  const text = await issuer.token({}, {}, START);
  await tokens.find(text);
  await tokens.find(text);
  expect(lookup).toHaveBeenCalledTimes(2);
});

test('the issuer gives keys that verify nothing: they are left out, with a line in the log', async () => {
  const issuer = await new TestIssuer().open();
  onTestFinished(() => issuer.close());
  const [good] = issuer.published as JWK[];
  const { n, e } = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' });
  issuer.published = [
    { kty: 'RSA', kid: 'weak', alg: 'RS256', n, e },
    { ...good, kid: 'torn', x: 'AAAA' },
    { ...good, kid: 'odd', crv: 'P-1' },
    null as never,
    { kty: 'oct', kid: 'shared', k: 'AAAA' },
    good as never,
  ];
  const left: unknown[] = [];
  const log = { warn: ({ kid }: { kid: unknown }) => left.push(kid), error: vi.fn(), info: vi.fn() };
  const service = { contract, tokens: { plan: 'free' }, keyPrefix: 'callers_' };
  const opened = openTokens(service, issuer.config, new TestClock(START).beside(), log as never);
  onTestFinished(() => opened.keys.close());
  const find = async (header: object) => opened.tokens.find(await issuer.token({}, header, START));
  const identity = (await find({})) as { caller: { id: string; claims: Record<string, unknown> } };
  expect(identity.caller.id).toBe('token:test');
  // Other requests with the token have the same claims.
  expect(() => Object.assign(identity.caller.claims, { sub: 'other' })).toThrow(TypeError);
  expect(left).toEqual(['weak', 'torn', 'odd', undefined, 'shared']);
  for (const kid of ['weak', 'torn', 'odd', 'shared']) expect(await find({ kid })).toBeUndefined();
});
