import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { groupOf, type IsTrusted } from '../proxies.ts';

export interface ConnectionsOptions {
  maxConnections: number;
  /** The most open connections of an address. A trusted proxy may have more, as its connections are those of all clients. */
  maxPerAddress: number;
  isTrusted: IsTrusted | false;
}

/** Connections beyond the maximum, which may only check health. */
export const RESERVE = 16;

/** The milliseconds within which such a connection has to send its request. */
const TIMEOUT = 1_000;

const HEALTH = /^\/(livez|readyz)$/;

const isIdle = ({ requests }: Socket) => !requests.some(({ request }) => request?.complete);

/** Connections of one kind: all, those of an address, or those beyond the maximum. */
class Pool {
  readonly address: string;
  /** The connections that had sent no complete request when `idlest` last looked, in the order of their arrival. */
  readonly #silent = new Set<Socket>();
  readonly #others = new Set<Socket>();
  /** Those of the others that were idle when the queue was made, the longest idle last. */
  #queue: [socket: Socket, restedAt: number | undefined][] = [];

  constructor(address = '') {
    this.address = address;
  }

  get size(): number {
    return this.#silent.size + this.#others.size;
  }

  add(socket: Socket): void {
    this.#silent.add(socket);
  }

  delete(socket: Socket): void {
    if (!this.#silent.delete(socket)) this.#others.delete(socket);
  }

  /**
   * The connection that has been idle for longest, first of those that have sent no complete request. The others are sorted on demand, and
   * the result is kept for further calls: sorting at each request would cost more.
   */
  get idlest(): Socket | undefined {
    for (const socket of this.#silent) {
      if (socket.restedAt === undefined && isIdle(socket)) return socket;
      this.#silent.delete(socket);
      this.#others.add(socket);
    }
    for (const isNew of [false, true]) {
      if (isNew) {
        const idle = [...this.#others].filter(isIdle);
        this.#queue = idle.sort((one, other) => restOf(other) - restOf(one)).map((socket) => [socket, socket.restedAt]);
      }
      for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
        const [socket, restedAt] = next;
        if (this.#others.has(socket) && socket.restedAt === restedAt && isIdle(socket)) return socket;
      }
    }
    return undefined;
  }
}

const restOf = ({ restedAt = 0 }: Socket) => restedAt;

declare module 'node:net' {
  interface Socket {
    /** `performance.now()` after its last complete request. */
    restedAt?: number;
  }
}

/** The pools of a connection, and the maximum that it exceeds until it has checked health. */
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

  get all(): Iterable<Socket> {
    return this.#places.keys();
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
      setTimeout(() => socket.requests.length === 0 && socket.destroy(), TIMEOUT).unref();
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
}
