// This module runs the suite in workerd. It reads the target from the query and responds with the results as JSON.
import { runSuite } from './suite.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const [baseUrl = '', apiKey = ''] = ['baseUrl', 'apiKey'].map((name) => searchParams.get(name) ?? '');
    return Response.json(await runSuite({ baseUrl, apiKey }));
  },
};
