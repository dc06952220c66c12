// This module runs the suite in a page. It reads the target from the query and posts the results to the page's origin.
import { runSuite } from './suite.ts';

const query = new URLSearchParams(location.search);
const [baseUrl = '', apiKey = ''] = ['baseUrl', 'apiKey'].map((name) => query.get(name) ?? '');
await fetch('/results', { method: 'POST', body: JSON.stringify(await runSuite({ baseUrl, apiKey })) });
