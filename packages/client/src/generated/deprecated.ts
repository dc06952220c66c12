// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { Arguments, Options, Result } from './fetch-call.ts';

/** The calls of deprecated operations, by method. */
export interface Deprecated {
  get: {
    /**
     * Get an animal.
     *
     * Returns a single animal. Every response, including errors, has the `Deprecation`, `Sunset` and `Link` headers,
     * which announce the removal.
     *
     * `GET /pets/{petId}`
     *
     * @deprecated Since 20 November 2026; removed on 5 December 2030. Use `listPets` with the `status` filter instead, as in `listPets({ status: 'available' })`.
     */
    <Init extends Options<'/pets/{petId}', 'get'>>(
      url: '/pets/{petId}',
      ...init: Arguments<'/pets/{petId}', 'get', Init>
    ): Result<'/pets/{petId}', 'get', Init>;
  };
}
