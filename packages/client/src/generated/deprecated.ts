// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { FetchCallArguments, FetchCallOptions, FetchCallResult } from '@petstore-platform/client-runtime';
import type { paths } from './schema.ts';

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
    <Init extends FetchCallOptions<paths, '/pets/{petId}', 'get'>>(
      url: '/pets/{petId}',
      ...init: FetchCallArguments<paths, '/pets/{petId}', 'get', Init>
    ): FetchCallResult<paths, '/pets/{petId}', 'get', Init>;
  };
}
