// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import type { Client, FetchOptions, FetchResponse } from 'openapi-fetch';
import type { Deprecated } from './generated/deprecated.ts';
import type { paths } from './generated/schema.ts';
import type { IdempotentCallOptions } from './options.ts';

type Media = `${string}/${string}`;
type PathsWith<Method> = {
  [Path in keyof paths]: paths[Path] extends { [method in Method & string]: object } ? Path : never;
}[keyof paths];
/** Options of openapi-fetch for an operation, with those of this package. */
export type Options<Path extends keyof paths, Method> = FetchOptions<paths[Path][Method & keyof paths[Path]]> &
  Omit<IdempotentCallOptions, 'headers' | 'signal' | 'cache' | 'keepalive' | 'priority'>;
type Required<Init> = { [Key in keyof Init]-?: object extends Pick<Init, Key> ? never : Key }[keyof Init];
/** Makes an unknown option a compile error. openapi-fetch by itself accepts any name. */
type Exact<Init, Known> = Init & { [Name in Exclude<keyof Init, keyof Known>]: never };
type Param<Init> = Required<Init> extends never ? [init?: Init] : [init: Init];
export type Arguments<Path extends keyof paths, Method, Init> = Param<Exact<Init, Options<Path, Method>>>;
export type Result<Path extends keyof paths, Method, Init> = Promise<
  FetchResponse<paths[Path][Method & keyof paths[Path]] & object, Init, Media>
>;

type Verb = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';
interface AnyCall<Method extends Verb> {
  <Path extends PathsWith<Method>, Init extends Options<Path, Method>>(
    url: Path,
    ...init: Arguments<Path, Method, Init>
  ): Result<Path, Method, Init>;
  // This overload matches no call. With it, libraries for `Client` accept this type: TypeScript compares overloads without
  // their type parameters.
  (url: never): never;
}

/** The overloads of a method. Deprecated paths come first, so that editors strike their calls through. */
type Call<Method extends Verb> = (Deprecated extends { [method in Method]: infer Calls } ? Calls : unknown) &
  AnyCall<Method>;

type Calls = { [Method in Verb as Uppercase<Method>]: Call<Method> };

/** The client of openapi-fetch for this API, its options checked. */
export interface FetchClient extends Omit<Client<paths>, Uppercase<Verb>>, Calls {}
