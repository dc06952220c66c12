// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import type { Client } from 'openapi-fetch';
import type { Arguments, Options, PathsWith, Result } from './fetch-call.ts';
import type { Deprecated } from './deprecated.ts';
import type { paths } from './schema.ts';

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
