// The suite in workerd: the target comes in the query, the results go out as JSON.
import { runSuite } from './suite.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const [baseUrl = '', apiKey = ''] = ['baseUrl', 'apiKey'].map((name) => searchParams.get(name) ?? '');
    return Response.json(await runSuite({ baseUrl, apiKey }));
  },
};
