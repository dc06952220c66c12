import type { ClientOptions } from './client-options.ts';
import type { CallError } from './error.ts';
import type { Failures } from './failure.ts';
import type { Init, Operation } from './operation.ts';

/** An SDK: the facts of its contract, and its names. Generated code passes one to the functions of this package. */
export interface Sdk {
  /** The name with which its environment variables begin, such as `SHOP`. */
  readonly name: string;
  /** Headers of every request, which name the SDK and its version. */
  readonly headers: { readonly [name: string]: string };
  /** Base URLs by environment, the default first. */
  readonly environments: { readonly [name: string]: string };
  /** How each operation is sent. */
  readonly operations: { readonly [name: string]: Operation };
  /** The class of its errors. */
  readonly Error: new (
    ...args: ConstructorParameters<typeof CallError>
  ) => CallError;
  /** How it reads and writes the bodies of failures. */
  readonly failures: Failures;
  /** The options of a call whose bodies are not all JSON: `formatOf` of `./formats`. */
  readonly formatOf?: (operation: Operation, init: Init) => Init;
  /** Builds each client that has more credentials than a key as a bearer, or events: `credentialsOf` and `eventsOf` of their entries. */
  readonly wrap?: (build: (options: ClientOptions) => object, options: object) => object;
}
