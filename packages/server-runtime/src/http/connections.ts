import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { groupOf, type IsTrusted } from '../proxies.ts';

export interface ConnectionsOptions {
  /** Open connections at most. */
  maxConnections: number;
  /** Those of an address at most; not of a trusted proxy, whose connections are those of all clients. */
  maxPerAddress: number;
  isTrusted: IsTrusted | false;
}

/** Connections beyond the maximum, which may only check health. */
export const RESERVE = 16;

/** Milliseconds until such a connection has sent its request. */
const PATIENCE = 1_000;

const HEALTH = /^\/(livez|readyz)$/;

/** Connections of one kind: all, those of an address, or those beyond the maximum. */
class Pool {
  readonly address: string;
  size = 0;
  /** Those that have sent no complete request, and those that rest after one; both the oldest first. */
  readonly #idle = [new Set<Socket>(), new Set<Socket>()] as const;

  constructor(address = '') {
    this.address = address;
  }

  add(socket: Socket): void {
    this.size += 1;
    this.#idle[0].add(socket);
  }

  rest(socket: Socket): void {
    for (const set of this.#idle) set.delete(socket);
    this.#idle[1].add(socket);
  }

  delete(socket: Socket): void {
    this.size -= 1;
    for (const set of this.#idle) set.delete(socket);
  }

  get idlest(): Socket | undefined {
    for (const set of this.#idle) {
      for (const socket of set) {
        if (!socket.exchanges.some(([{ request }]) => request?.complete)) return socket;
        // Until its next rest.
        set.delete(socket);
      }
    }
    return undefined;
  }
}

/** The pools of a connection, and what it is beyond unless it has checked health. */
interface Place {
  pools: Pool[];
  beyond?: 'address' | 'full' | undefined;
}

/**
 * Limits the open connections of a server. Without room, a new one replaces the one that has been idle for longest, first of those
 * that have sent no complete request: clients that do nothing keep nobody out. Without an idle one, it may only check health.
 */
export class Connections {
  /** Connections closed so far: beyond the share of an address, beyond the maximum, or idle for longest when a newer one came. */
  readonly closed = { address: 0, full: 0, idle: 0 };
  readonly #options: ConnectionsOptions;
  readonly #all = new Pool();
  readonly #reserve = new Pool();
  readonly #byAddress = new Map<string, Pool>();
  readonly #places = new Map<Socket, Place>();

  constructor(server: Server, options: ConnectionsOptions) {
    this.#options = options;
    server.on('connection', (socket) => this.#open(socket));
  }

  #open(socket: Socket): void {
    const { maxConnections, maxPerAddress, isTrusted } = this.#options;
    const { remoteAddress = '' } = socket;
    const address = groupOf(remoteAddress);
    const own = this.#byAddress.get(address) ?? new Pool(address);
    const isProxy = isTrusted !== false && isTrusted(remoteAddress, 0);
    if (!isProxy && !this.#makeRoom(own, maxPerAddress)) this.#check(socket, 'address');
    else if (!this.#makeRoom(this.#all, maxConnections)) this.#check(socket, 'full');
    else {
      this.#byAddress.set(address, own);
      this.#place(socket, { pools: [this.#all, own] });
    }
  }

  /** Accepts a connection beyond a maximum, for a health check. */
  #check(socket: Socket, beyond: 'address' | 'full'): void {
    if (this.#makeRoom(this.#reserve, RESERVE)) {
      this.#place(socket, { pools: [this.#reserve], beyond });
      setTimeout(() => socket.exchanges.length === 0 && socket.destroy(), PATIENCE).unref();
    } else {
      this.closed[beyond] += 1;
      socket.destroy();
    }
  }

  #makeRoom(pool: Pool, max: number): boolean {
    if (pool.size < max) return true;
    const { idlest } = pool;
    if (!idlest) return false;
    if (pool !== this.#reserve) this.closed.idle += 1;
    this.#forget(idlest);
    idlest.destroy();
    return true;
  }

  #place(socket: Socket, place: Place): void {
    this.#places.set(socket, place);
    for (const pool of place.pools) pool.add(socket);
    socket.on('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    const { pools = [], beyond } = this.#places.get(socket) ?? {};
    if (beyond) this.closed[beyond] += 1;
    for (const pool of pools) {
      pool.delete(socket);
      if (pool.size === 0) this.#byAddress.delete(pool.address);
    }
    this.#places.delete(socket);
  }

  /** Whether a request may be answered: on a connection beyond a maximum, only a health check, and only one. */
  admits({ socket, url = '' }: IncomingMessage, response: ServerResponse): boolean {
    const place = this.#places.get(socket);
    if (place?.beyond === undefined) return true;
    if (!HEALTH.test(url)) return false;
    place.beyond = undefined;
    response.shouldKeepAlive = false;
    return true;
  }

  /** After a complete request. */
  rest(socket: Socket): void {
    for (const pool of this.#places.get(socket)?.pools ?? []) pool.rest(socket);
  }
}
