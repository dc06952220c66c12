import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface GitHub {
  /** The variables by which a workflow's step finds it. */
  env: Record<string, string>;
  /** The resources that exist, by their paths in the repository. */
  resources: Map<string, unknown>;
  /** The requests that changed something. */
  changes: { method: string; path: string; body: Record<string, string> }[];
  close(): Promise<void>;
}

/** The part of GitHub's API that the workflows use: 404 for what does not exist, tags, comments. */
export async function startGitHub(): Promise<GitHub> {
  const resources = new Map<string, unknown>();
  const changes: GitHub['changes'] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const path = decodeURIComponent(url.replace('/repos/someone/repository/', '').replace(/\?.*/, ''));
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (method === 'GET') {
      const found = resources.get(path);
      if (found instanceof Error) return answer(Number(found.name), { message: found.message });
      return found ? answer(200, found) : answer(404, { message: 'Not Found' });
    }
    const body = (await json(request)) as Record<string, string>;
    if (method === 'POST' && path === 'git/refs') {
      const name = `git/ref/${body.ref?.replace('refs/', '')}`;
      if (resources.has(name)) return answer(422, { message: 'Reference already exists' });
      resources.set(name, { object: { sha: body.sha } });
    }
    changes.push({ method, path, body });
    return answer(201, {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = {
    GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    GITHUB_REPOSITORY: 'someone/repository',
    GH_TOKEN: 'token',
  };
  return {
    env,
    resources,
    changes,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
