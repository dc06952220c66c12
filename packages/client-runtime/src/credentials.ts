/**
 * Credentials besides a key as a bearer: tokens, passwords, and keys in other places.
 *
 * @module
 */
import type { PendingCall } from './attempt.ts';
import { checkText } from './checks.ts';
import type { ApiKey, Fetch, ClientOptions as Options } from './client-options.ts';
import type { Sdk } from './sdk.ts';
import { globalFetch } from './settings.ts';

type Kind = 'key' | 'token';

/** Alternatives of credentials, by operation; those of any other call are at `''`. */
export type Security = {
  readonly [operation: string]: readonly (readonly (readonly [
    kind: Kind,
    place: 'bearer' | 'basic' | 'header' | 'query' | 'cookie',
    name?: string,
  ])[])[];
};

type Text = string | null | undefined;

/** The options of `createClient` that are credentials. */
export interface Credentials {
  /**
   * The API key, or a function that returns it, called for every attempt. It consists of visible ASCII characters. No error contains it.
   * Default: none.
   */
  apiKey?: ApiKey;
  /**
   * An access token, or a function that returns it, called for every attempt. If the token is refused (401), it is called once more, with
   * `true`, and the call is sent with the token that it returns then. No error contains it. Default: none.
   */
  token?: Text | ((isRefused: boolean) => Text | Promise<Text>);
}

type Credential = Credentials[keyof Credentials];

/** Builds the clients of an SDK whose operations take these credentials. A call has those of its operation, as far as its client has them. */
export function credentialsOf(security: Security): NonNullable<Sdk['wrap']> {
  return (build, { apiKey, token, fetch = globalFetch, ...options }: Credentials & Omit<Options, 'apiKey'>) => {
    for (const [name, value] of Object.entries({ apiKey, token }))
      if (typeof value !== 'function') checkText(`createClient: ${name}`, value);
    // It stands for the credentials. Clients with the same ones share their limits.
    const mark = `${idOf(apiKey)}|${idOf(token)}`;
    return build({ ...options, apiKey: mark, fetch: authorized(security, { key: apiKey, token }, mark, fetch) });
  };
}

const ids = new WeakMap<object, string>();
let count = 0;

/** Tells credentials apart, and shows nothing of them: a call's own `fetch` gets it. */
function idOf(credential: Credential): unknown {
  if (typeof credential !== 'function')
    return Array.from(`${credential}`).reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 0);
  const id = ids.get(credential) ?? `function-${++count}`;
  ids.set(credential, id);
  return id;
}

/** A `fetch` that puts credentials in place of a mark. It is a method of the call, whose errors then do not contain them. */
function authorized(security: Security, values: Record<Kind, Credential>, mark: string, send: Fetch): Fetch {
  return async function (this: PendingCall, url, init) {
    const { operation, keys } = this;
    const { authorization, ...others } = init.headers;
    if (authorization !== `Bearer ${mark}`) return send(url, init);
    // What it stands for is redacted by itself.
    keys.delete(mark);
    const alternatives = security[operation] ?? security[''] ?? [];
    const chosen = alternatives.find((all) => all[0] && all.every(([kind]) => values[kind] != null)) ?? [];
    const attempt = async (isRefused: boolean) => {
      const headers: typeof init.headers = { ...others };
      let target = url;
      for (const [kind, place, name = ''] of chosen) {
        const value = values[kind];
        const text = typeof value === 'function' ? await value(isRefused && kind === 'token') : value;
        checkText(`createClient: ${kind}`, text);
        if (text == null) continue;
        keys.add(text);
        if (place === 'bearer') headers.authorization = `Bearer ${text}`;
        else if (place === 'header') headers[name.toLowerCase()] = text;
        else if (place === 'cookie') headers.cookie = [headers.cookie ?? [], `${name}=${text}`].flat().join('; ');
        else if (place === 'query') target += `${target.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(text)}`;
        else {
          const encoded = btoa(`:${text}`);
          keys.add(encoded);
          headers.authorization = `Basic ${encoded}`;
        }
      }
      return send(target, { ...init, headers });
    };
    const response = await attempt(false);
    const mayRefresh = typeof values.token === 'function' && chosen.some(([kind]) => kind === 'token');
    if (response.status !== 401 || !mayRefresh || this.maxRetries < 0) return response;
    // The body of this response is not needed. It must not keep the connection.
    void Object(response.body)
      .cancel?.()
      ?.catch?.(() => {});
    return attempt(true);
  } as Fetch;
}
