import type { Client } from 'openapi-fetch';
import type { FetchCallArguments, FetchCallOptions, FetchCallResult, PathsWith } from './fetch-call.ts';

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

/** The overloads of a method. Deprecated paths come first, so that editors strike their calls through. */
type Call<Paths, Deprecated, Method extends Verb> = (Deprecated extends { [method in Method]: infer Calls }
  ? Calls
  : unknown) &
  FetchCall<Paths, Method>;

type Calls<Paths, Deprecated> = { [Method in Verb as Uppercase<Method>]: Call<Paths, Deprecated, Method> };

/** The client of openapi-fetch for an API, its options checked. */
export type FetchClientOf<Paths extends object, Deprecated> = Omit<Client<Paths>, Uppercase<Verb>> &
  Calls<Paths, Deprecated>;
