import type { Client, FetchOptions, FetchResponse } from 'openapi-fetch';
import type { IdempotentCallOptions } from './options.ts';

type PathsWith<Paths, Method> = {
  [Path in keyof Paths]: Paths[Path] extends { [method in Method & string]: object } ? Path : never;
}[keyof Paths];
/** Options of a call of `fetchClient`: those of openapi-fetch for the operation, and those of a method. */
export type FetchCallOptions<Paths, Path extends keyof Paths, Method> = FetchOptions<
  Paths[Path][Method & keyof Paths[Path]]
> &
  Omit<IdempotentCallOptions, 'headers' | 'signal' | 'cache' | 'keepalive' | 'priority'>;
type Required<Init> = { [Key in keyof Init]-?: object extends Pick<Init, Key> ? never : Key }[keyof Init];
/** Makes an unknown option a compile error. openapi-fetch by itself accepts any name. */
type Exact<Init, Known> = Init & { [Name in Exclude<keyof Init, keyof Known>]: never };
type Param<Init> = Required<Init> extends never ? [init?: Init] : [init: Init];
/** The arguments of a call of `fetchClient` after its path. */
export type FetchCallArguments<Paths, Path extends keyof Paths, Method, Init> = Param<
  Exact<Init, FetchCallOptions<Paths, Path, Method>>
>;
/** The result of a call of `fetchClient`. */
export type FetchCallResult<Paths, Path extends keyof Paths, Method, Init> = Promise<
  FetchResponse<Paths[Path][Method & keyof Paths[Path]] & object, Init, `${string}/${string}`>
>;

type Verb = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';
/** A method of `fetchClient`. */
export interface FetchCall<Paths, Method extends Verb> {
  <Path extends PathsWith<Paths, Method>, Init extends FetchCallOptions<Paths, Path, Method>>(
    url: Path,
    ...init: FetchCallArguments<Paths, Path, Method, Init>
  ): FetchCallResult<Paths, Path, Method, Init>;
  // This overload matches no call. With it, libraries for `Client` accept this type: TypeScript compares overloads without
  // their type parameters.
  (url: never): never;
}

/** The overloads of each method. Deprecated paths come first, so that editors strike their calls through. */
type Calls<Paths, Deprecated> = {
  [Method in Verb as Uppercase<Method>]: (Deprecated extends { [method in Method]: infer Call } ? Call : unknown) &
    FetchCall<Paths, Method>;
};

/** The client of openapi-fetch for an API, its options checked. */
export type FetchClientOf<Paths extends object, Deprecated> = Omit<Client<Paths>, Uppercase<Verb>> &
  Calls<Paths, Deprecated> & {
    /** The base URL of the client. */
    readonly baseUrl: string;
  };
