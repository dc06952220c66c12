// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import type { FetchOptions, FetchResponse } from 'openapi-fetch';
import type { paths } from './schema.ts';
import type { IdempotentCallOptions } from './options.ts';

type Media = `${string}/${string}`;
export type PathsWith<Method> = {
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
