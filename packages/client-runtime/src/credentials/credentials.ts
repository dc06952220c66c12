import type { PendingCall } from '../attempt.ts';
import { buildClient, type ServiceClient as Client } from '../client.ts';
import { operations } from '../generated/table.ts';
import { checkOptions, type Fetch, type ClientOptions as Options } from '../settings.ts';
import { security as table } from './security.ts';

/** Alternatives of credentials, by operation; those of any other call are at `''`. */
type Security = {
  readonly [operation: string]: readonly (readonly (readonly [
    kind: 'key' | 'token',
    place: 'bearer' | 'basic' | 'header' | 'query' | 'cookie',
    name?: string,
  ])[])[];
};

const security: Security = table;

type Text = string | null | undefined;

interface Credentials {
  /**
   * The API key, or a function that returns it, called for every attempt. It consists of visible ASCII characters. No error contains it.
   * Default: none.
   */
  apiKey?: Text | (() => Text | Promise<Text>);
  /**
   * An access token, or a function that returns it, called for every attempt. If the token is refused (401), it is called once more, with
   * `true`, and the call is sent with the token that it returns then. No error contains it. Default: none.
   */
  token?: Text | ((isRefused: boolean) => Text | Promise<Text>);
}

/** Options of `createClient`. */
export interface ClientOptions extends Omit<Options, 'apiKey'>, Credentials {}

/** A client of the Service API: one method per operation of the contract. */
export interface ServiceClient extends Omit<Client, 'withOptions'> {
  /**
   * Creates a client with other options. Options that are absent or undefined are inherited. Headers are merged as for a call,
   * everything else is replaced. A client with other credentials is held back by their limits only.
   *
   * @throws TypeError if an option is invalid
   */
  withOptions(options: ClientOptions): ServiceClient;
}

/**
 * Creates a client. It holds no connection and needs no closing.
 *
 * Methods take the parameters in one object, then the body, then the options of the call. They send at once and never
 * throw synchronously. A call has the credentials that its operation takes, as far as the client has them.
 *
 * @throws TypeError if an option is invalid
 */
export function createClient({ apiKey, token, fetch, ...options }: ClientOptions = {}): ServiceClient {
  const send = fetch ?? (((url, init) => globalThis.fetch(url, init)) as Fetch);
  const [first, credentials] = secured({ apiKey, token }, send);
  return wrapped(buildClient(operations, { ...options, ...first }) as Client, credentials, send);
}

function wrapped(client: Client, credentials: Credentials, send: Fetch): ServiceClient {
  const inherit = client.withOptions;
  const withOptions = ({ apiKey, token, fetch = send, ...more }: ClientOptions) => {
    const given = Object.entries({ apiKey, token }).filter(([, value]) => value !== undefined);
    const [changed, others] = secured({ ...credentials, ...Object.fromEntries(given) }, fetch);
    return wrapped(inherit({ ...more, ...changed }) as Client, others, fetch);
  };
  return Object.assign(client, { withOptions }) as ServiceClient;
}

const TEXT = 'a string of visible ASCII characters';
let clients = 0;

/** Options of a client of the runtime, whose only credential is the key: a mark in place of it, by which limits are told apart. */
function secured(credentials: Credentials, send: Fetch): [Options, Credentials] {
  checkOptions('createClient', credentials, { apiKey: `${TEXT} or a function`, token: `${TEXT} or a function` });
  clients += 1;
  const mark = `#${clients}`;
  return [{ apiKey: mark, fetch: authorized(credentials, `Bearer ${mark}`, send) }, credentials];
}

/** A `fetch` that puts credentials in place of a mark. It is a method of the call, whose errors then do not contain them. */
function authorized({ apiKey, token }: Credentials, mark: string, send: Fetch): Fetch {
  const textOf = async (kind: 'key' | 'token', isRefused: boolean) => {
    const value = kind === 'key' ? apiKey : token;
    const text = typeof value === 'function' ? await value(isRefused) : value;
    checkOptions('createClient', { [kind]: text }, { [kind]: TEXT });
    return text ?? undefined;
  };
  return async function (this: PendingCall, url, init) {
    const { operation, keys } = this.start;
    const { authorization, ...others } = init.headers;
    if (authorization !== mark) return send(url, init);
    const has = { key: apiKey, token };
    const alternatives = security[operation] ?? security[''] ?? [];
    const chosen = alternatives.find((all) => all.every(([kind]) => has[kind] != null)) ?? [];
    const attempt = async (isRefused: boolean) => {
      const headers: typeof init.headers = { ...others };
      let target = url;
      for (const [kind, place, name = ''] of chosen) {
        const text = await textOf(kind, isRefused && kind === 'token');
        if (text === undefined) continue;
        keys.add(text);
        if (place === 'bearer') headers.authorization = `Bearer ${text}`;
        else if (place === 'header') headers[name.toLowerCase()] = text;
        else if (place === 'cookie') headers.cookie = `${name}=${text}`;
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
    if (response.status !== 401 || !mayRefresh) return response;
    // The body of this response is not needed. It must not keep the connection.
    void Object(response.body)
      .cancel?.()
      ?.catch?.(() => {});
    return attempt(true);
  } as Fetch;
}
