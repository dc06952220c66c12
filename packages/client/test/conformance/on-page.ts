// The suite in a page: the target comes in the query, the results are posted to where the page came from.
import { runSuite } from './suite.ts';

const query = new URLSearchParams(location.search);
const [baseUrl = '', apiKey = ''] = ['baseUrl', 'apiKey'].map((name) => query.get(name) ?? '');
await fetch('/results', { method: 'POST', body: JSON.stringify(await runSuite({ baseUrl, apiKey })) });
