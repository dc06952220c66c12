import { createClient } from '@petstore/client';
import { petstoreQueries } from '@petstore/client/react-query';

/** Talks to the backend that the page came from, which has the API key. */
export const queries = petstoreQueries(createClient({ baseUrl: '/api', apiKey: null }));
