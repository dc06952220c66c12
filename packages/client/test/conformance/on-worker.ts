// The suite in workerd. Reads the target from the query and responds with the results as JSON.
import { runSuite } from './suite.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const [baseUrl = '', apiKey = ''] = ['baseUrl', 'apiKey'].map((name) => searchParams.get(name) ?? '');
    return Response.json(await runSuite({ baseUrl, apiKey }));
  },
};
