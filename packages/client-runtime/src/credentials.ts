/**
 * Credentials besides a key as a bearer: tokens, passwords, and keys in other places.
 *
 * @module
 */
import type { PendingCall } from './attempt.ts';
import { checkText } from './checks.ts';
import type { ApiKey, Fetch, ClientOptions as Options } from './client-options.ts';
import type { Sdk } from './sdk.ts';

/** Alternatives of credentials, by operation; those of any other call are at `''`. */
export type Security = {
  readonly [operation: string]: readonly (readonly (readonly [
    kind: 'key' | 'token',
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

type Client = { withOptions(options: Options): Client };
type Given = Credentials & Omit<Options, 'apiKey'>;

/** Builds the clients of an SDK whose operations take these credentials. A call has those of its operation, as far as its client has them. */
export function credentialsOf(security: Security): NonNullable<Sdk['wrap']> {
  const wrapped = (client: Client, credentials: Credentials, mark: string, send: Fetch): Client => {
    const inherit = client.withOptions;
    const withOptions = ({ apiKey = credentials.apiKey, token = credentials.token, fetch = send, ...more }: Given) => {
      const isSame = apiKey === credentials.apiKey && token === credentials.token;
      const changed = isSame ? mark : newMark();
      const others = { apiKey, token };
      return wrapped(inherit({ ...more, ...secured(security, others, changed, fetch) }), others, changed, fetch);
    };
    return Object.assign(client, { withOptions });
  };
  return (build, { apiKey, token, fetch, ...options }: Given) => {
    const send = fetch ?? (((url, init) => globalThis.fetch(url, init)) as Fetch);
    const [mark, credentials] = [newMark(), { apiKey, token }];
    const client = build({ ...options, ...secured(security, credentials, mark, send) }) as Client;
    return wrapped(client, credentials, mark, send);
  };
}

let marks = 0;

/** Stands for credentials. Clients with the same mark share their limits. */
const newMark = () => `#${++marks}`;

/** Options of a client of the runtime, whose only credential is the key: a mark in its place. */
function secured(security: Security, credentials: Credentials, mark: string, send: Fetch): Options {
  for (const [name, value] of Object.entries(credentials))
    if (typeof value !== 'function') checkText(`createClient: ${name}`, value);
  return { apiKey: mark, fetch: authorized(security, credentials, `Bearer ${mark}`, send) };
}

/** A `fetch` that puts credentials in place of a mark. It is a method of the call, whose errors then do not contain them. */
function authorized(security: Security, { apiKey, token }: Credentials, mark: string, send: Fetch): Fetch {
  const textOf = async (kind: 'key' | 'token', isRefused: boolean) => {
    const value = kind === 'key' ? apiKey : token;
    const text = typeof value === 'function' ? await value(isRefused) : value;
    checkText(`createClient: ${kind}`, text);
    return text ?? undefined;
  };
  return async function (this: PendingCall, url, init) {
    const { operation, keys } = this;
    const { authorization, ...others } = init.headers;
    if (authorization !== mark) return send(url, init);
    const has = { key: apiKey, token };
    const alternatives = security[operation] ?? security[''] ?? [];
    const chosen = alternatives.find((all) => all[0] && all.every(([kind]) => has[kind] != null)) ?? [];
    const attempt = async (isRefused: boolean) => {
      const headers: typeof init.headers = { ...others };
      let target = url;
      for (const [kind, place, name = ''] of chosen) {
        const text = await textOf(kind, isRefused && kind === 'token');
        if (text === undefined) continue;
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
    const mayRefresh = typeof token === 'function' && chosen.some(([kind]) => kind === 'token');
    if (response.status !== 401 || !mayRefresh || this.maxRetries < 0) return response;
    // The body of this response is not needed. It must not keep the connection.
    void Object(response.body)
      .cancel?.()
      ?.catch?.(() => {});
    return attempt(true);
  } as Fetch;
}
