// This module runs the suite in Node.js, Bun or Deno. It prints the results as JSON.
import { runSuite } from './suite.ts';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
console.log(JSON.stringify(await runSuite({ baseUrl, apiKey })));
