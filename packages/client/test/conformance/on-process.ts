// The suite in Node.js, Bun or Deno. Prints the results as JSON.
import { runSuite } from './suite.ts';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
console.log(JSON.stringify(await runSuite({ baseUrl, apiKey })));
